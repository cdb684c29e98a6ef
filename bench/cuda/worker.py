"""An accelerator program as people write them: a network on a GPU, and nothing about scheduling.

It reads one JSON object per line from its standard input and answers each with one line:

    {"do": "load", "model": "bert-large", "batch": 1, "graph": true}
    {"do": "rate", "seconds": 6, "rate": 50}     requests at a rate: the latency of each, in ms
    {"do": "loop", "seconds": 6}                 one batch after the other: batches and seconds
    {"do": "output"}                             a hash of what the network says
    {"do": "train", "steps": 8}                  training with forked data loaders: a hash of the weights

Weights are random, from a fixed seed, so that nothing has to be downloaded and results can be compared.
"""
import hashlib
import json
import sys
import time

import torch


def bert(size, batch):
    from transformers import BertConfig, BertModel

    shape = {
        "bert-base": dict(hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072),
        "bert-large": dict(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096),
    }[size]
    model = BertModel(BertConfig(**shape))
    return model, torch.randint(0, 30000, (batch, 384))


def resnet(name, batch):
    import torchvision

    return getattr(torchvision.models, name)(), torch.randn(batch, 3, 224, 224)


class Job:
    """A network on the device, ready to run."""

    def __init__(self, model, batch, graph=False, compiled=False, half=True):
        torch.manual_seed(1)
        network, self.input = bert(model, batch) if model.startswith("bert") else resnet(model, batch)
        network = network.eval().cuda()
        self.input = self.input.cuda()
        if half:
            network = network.half()
            if self.input.is_floating_point():
                self.input = self.input.half()
        self.network = torch.compile(network) if compiled else network
        self.graph = None
        with torch.inference_mode():
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(3):
                    self.result = self.network(self.input)
            torch.cuda.current_stream().wait_stream(side)
            torch.cuda.synchronize()
            if graph:
                self.graph = torch.cuda.CUDAGraph()
                # A stream of its own: the workspaces of libraries belong to the stream of the capture.
                with torch.cuda.graph(self.graph, stream=torch.cuda.Stream()):
                    self.result = self.network(self.input)
        torch.cuda.synchronize()

    def launch(self):
        if self.graph is not None:
            self.graph.replay()
        else:
            with torch.inference_mode():
                self.result = self.network(self.input)

    def output(self):
        self.launch()
        torch.cuda.synchronize()
        result = self.result
        tensor = result if torch.is_tensor(result) else result.last_hidden_state
        return hashlib.sha256(tensor.float().cpu().numpy().tobytes()).hexdigest()


def at_a_rate(job, seconds, rate):
    latencies = []
    start = time.perf_counter()
    for i in range(int(seconds * rate)):
        due = start + i / rate
        while True:
            left = due - time.perf_counter()
            if left <= 0:
                break
            time.sleep(left if left > 0.0005 else 0)
        begin = time.perf_counter()
        job.launch()
        torch.cuda.synchronize()
        latencies.append(1000 * (time.perf_counter() - begin))
    return {"latencies": latencies, "seconds": time.perf_counter() - start}


def in_a_loop(job, seconds):
    """At most two batches ahead of the device, as a program that feeds it has them."""
    done = [torch.cuda.Event(blocking=True) for _ in range(2)]
    start = time.perf_counter()
    batches = 0
    while time.perf_counter() - start < seconds:
        if batches >= 2:
            done[batches % 2].synchronize()
        job.launch()
        done[batches % 2].record()
        batches += 1
    torch.cuda.synchronize()
    return {"batches": batches, "seconds": time.perf_counter() - start}


class Samples(torch.utils.data.Dataset):
    def __len__(self):
        return 1 << 16

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index)
        return torch.randn(3, 64, 64, generator=generator), index % 10


def train(steps):
    import torchvision

    torch.manual_seed(1)
    network = torchvision.models.resnet18(num_classes=10).cuda()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01)
    loader = torch.utils.data.DataLoader(Samples(), batch_size=32, num_workers=2, pin_memory=True)
    for step, (images, labels) in enumerate(loader):
        if step == steps:
            break
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(network(images.cuda()), labels.cuda())
        loss.backward()
        optimizer.step()
    digest = hashlib.sha256()
    for parameter in network.parameters():
        digest.update(parameter.detach().cpu().numpy().tobytes())
    return digest.hexdigest()


def main():
    torch.backends.cudnn.deterministic = True
    torch.backends.cuda.matmul.allow_tf32 = False
    job = None
    for line in sys.stdin:
        task = json.loads(line)
        what = task.pop("do")
        if what == "load":
            job = Job(**task)
            answer = {"device": torch.cuda.get_device_name()}
        elif what == "rate":
            answer = at_a_rate(job, **task)
        elif what == "loop":
            answer = in_a_loop(job, **task)
        elif what == "output":
            answer = {"hash": job.output()}
        elif what == "train":
            answer = {"hash": train(**task)}
        else:
            answer = {"error": "no such task: " + what}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
