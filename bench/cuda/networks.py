"""The networks of the experiments: random weights, nothing to download.

Inference of one request is one CUDA graph: launched kernel by kernel, it would be bound by the processor,
and measure that. Training and large batches keep the device busy as they are.
"""
import hashlib

import torch

from worker import bert, resnet

GRAPH, EAGER = True, False
INFERENCE = {
    "resnet18": ("resnet18", 1, torch.float16, GRAPH),
    "resnet50_b8": ("resnet50", 8, torch.float16, GRAPH),
    "resnet50_b1024": ("resnet50", 1024, torch.float16, EAGER),
    "resnet152": ("resnet152", 1, torch.float16, GRAPH),
    "bert_base": ("bert-base", 1, torch.float32, GRAPH),
    "bert_large": ("bert-large", 1, torch.float16, GRAPH),
}
TRAINING_BATCH = 64


def job(workload):
    """Makes the network on the current stream."""
    torch.manual_seed(1)
    if workload == "resnet50_training":
        return Training()
    if workload not in INFERENCE:
        known = ", ".join([*INFERENCE, "resnet50_training"])
        raise ValueError(f"no network is called {workload}; there are {known}")
    return Inference(*INFERENCE[workload])


def describe(workload):
    if workload == "resnet50_training":
        return f"ResNet-50, one iteration of training, batch {TRAINING_BATCH}, mixed precision, PyTorch"
    name, batch, precision, graph = INFERENCE[workload]
    tokens = ", 384 tokens" if name.startswith("bert") else ""
    how = "as one CUDA graph" if graph else "kernel by kernel"
    return f"{name}, batch {batch}{tokens}, {str(precision).removeprefix('torch.')}, {how}, PyTorch"


def digest(*tensors):
    hashed = hashlib.sha256()
    for tensor in tensors:
        hashed.update(tensor.detach().float().cpu().numpy().tobytes())
    return hashed.hexdigest()


class Inference:
    def __init__(self, name, batch, precision, graph):
        network, self.input = bert(name, batch) if name.startswith("bert") else resnet(name, batch)
        self.network = network.eval().cuda().to(precision)
        self.input = self.input.cuda()
        if self.input.is_floating_point():
            self.input = self.input.to(precision)
        self.graph = None
        for _ in range(3):
            self.launch()
        torch.cuda.synchronize()
        if graph:
            captured = torch.cuda.CUDAGraph()
            # A stream of its own: the workspaces of libraries belong to the stream of the capture.
            with torch.cuda.graph(captured, stream=torch.cuda.Stream()), torch.inference_mode():
                self.result = self.network(self.input)
            self.graph = captured
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
        return digest(self.result if torch.is_tensor(self.result) else self.result.last_hidden_state)


class Training:
    def __init__(self):
        self.network, self.images = resnet("resnet50", TRAINING_BATCH)
        self.network = self.network.train().cuda().to(memory_format=torch.channels_last)
        self.images = self.images.cuda().to(memory_format=torch.channels_last)
        self.labels = torch.randint(0, 1000, (TRAINING_BATCH,)).cuda()
        self.optimizer = torch.optim.SGD(self.network.parameters(), lr=0.01, foreach=True)

    def launch(self):
        with torch.autocast("cuda", torch.float16):
            loss = torch.nn.functional.cross_entropy(self.network(self.images), self.labels)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()

    def output(self):
        fresh = job("resnet50_training")
        for _ in range(3):
            fresh.launch()
        torch.cuda.synchronize()
        return digest(*fresh.network.parameters())
