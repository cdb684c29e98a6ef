"""The networks of the experiments: random weights, nothing to download.

Small batches are CUDA graphs: launched kernel by kernel, they would be bound by the processor, and measure
that. A background is a graph for each of its blocks, so that it can be stopped in between, as it can between
kernels. Training and large batches keep the device busy as they are.
"""
import hashlib

import torch

from worker import bert, resnet

GRAPH, BLOCKS, EAGER = "as one CUDA graph", "as a CUDA graph for each block", "kernel by kernel"
INFERENCE = {
    "resnet18": ("resnet18", 1, torch.float16, GRAPH),
    "resnet50_b8": ("resnet50", 8, torch.float16, BLOCKS),
    "resnet50_b64": ("resnet50", 64, torch.float16, EAGER),
    "resnet50_b1024": ("resnet50", 1024, torch.float16, EAGER),
    "resnet152": ("resnet152", 8, torch.float16, BLOCKS),
    "bert_base": ("bert-base", 1, torch.float32, GRAPH),
    "bert_base_b8": ("bert-base", 8, torch.float32, BLOCKS),
    "bert_large": ("bert-large", 1, torch.float16, GRAPH),
    "bert_large_eager": ("bert-large", 1, torch.float16, EAGER),
    "segmentation": ("deeplabv3_resnet50", 1, torch.float16, GRAPH),
    "speech": ("speech-encoder", 1, torch.float16, GRAPH),
}
TRAINING_BATCH = 64


def deeplab(name, batch):
    """DeepLab with dilated convolutions and pyramid pooling, for one class and what is behind it."""
    from torchvision.models import segmentation

    network = getattr(segmentation, name)(weights=None, weights_backbone=None, num_classes=2)
    return network, torch.randn(batch, 3, 512, 512)


def speech_encoder(_, batch):
    """What reads 30 s of sound as 1500 vectors: the encoder of Whisper, in the size called small."""
    from transformers import WhisperConfig
    from transformers.models.whisper.modeling_whisper import WhisperEncoder

    shape = WhisperConfig(d_model=768, encoder_layers=12, encoder_attention_heads=12, encoder_ffn_dim=3072)
    return WhisperEncoder(shape), torch.randn(batch, 80, 3000)


def make(name, batch):
    """A network and its input."""
    for prefix, maker in (("bert", bert), ("deeplab", deeplab), ("speech", speech_encoder)):
        if name.startswith(prefix):
            return maker(name, batch)
    return resnet(name, batch)


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
        loop = "one iteration of training and of preparing its batch on the processor"
        return f"ResNet-50, {loop}, batch {TRAINING_BATCH}, mixed precision, PyTorch"
    name, batch, precision, how = INFERENCE[workload]
    tokens = ", 384 tokens" if name.startswith("bert") else ""
    return f"{name}, batch {batch}{tokens}, {str(precision).removeprefix('torch.')}, {how}, PyTorch"


def digest(*tensors):
    hashed = hashlib.sha256()
    for tensor in tensors:
        hashed.update(tensor.detach().float().cpu().numpy().tobytes())
    return hashed.hexdigest()


class Layer(torch.nn.Module):
    """A layer of Bert that gives what the next one takes, in every version of transformers."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, hidden):
        result = self.layer(hidden)
        return result if torch.is_tensor(result) else result[0]


def blocks_of(network):
    """The parts of a ResNet or of a Bert, one after the other."""
    if hasattr(network, "encoder"):
        return [network.embeddings, *(Layer(layer) for layer in network.encoder.layer)]
    first = torch.nn.Sequential(network.conv1, network.bn1, network.relu, network.maxpool)
    stages = [network.layer1, network.layer2, network.layer3, network.layer4]
    last = torch.nn.Sequential(network.avgpool, torch.nn.Flatten(1), network.fc)
    return [first, *(block for stage in stages for block in stage), last]


class Inference:
    def __init__(self, name, batch, precision, how):
        network, self.input = make(name, batch)
        self.network = network.eval().cuda().to(precision)
        self.input = self.input.cuda()
        if self.input.is_floating_point():
            self.input = self.input.to(precision)
        self.graphs = []
        for _ in range(3):
            self.launch()
        torch.cuda.synchronize()
        if how != EAGER:
            self.capture([self.network] if how == GRAPH else blocks_of(self.network))

    def capture(self, parts):
        graphs, pool = [], torch.cuda.graph_pool_handle()
        # A stream of its own: the workspaces of libraries belong to the stream of the capture.
        stream = torch.cuda.Stream()
        self.results = [self.input]  # all of them, because what one part gives is what the next one takes
        for part in parts:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=stream, pool=pool), torch.inference_mode():
                self.results.append(part(self.results[-1]))
            graphs.append(graph)
        self.result = self.results[-1]
        self.graphs = graphs
        torch.cuda.synchronize()

    def launch(self):
        if self.graphs:
            for graph in self.graphs:
                graph.replay()
        else:
            with torch.inference_mode():
                self.result = self.network(self.input)

    def output(self):
        self.launch()
        torch.cuda.synchronize()
        result = self.result
        if isinstance(result, dict):
            result = next(iter(result.values()))
        return digest(result)


class Training:
    """A loop as people write it first: it prepares each batch itself, and reads the loss of each step."""

    def __init__(self):
        self.network, _ = resnet("resnet50", 1)
        self.network = self.network.train().cuda().to(memory_format=torch.channels_last)
        self.pictures = torch.randint(0, 256, (TRAINING_BATCH, 3, 256, 256), dtype=torch.uint8)
        self.labels = torch.randint(0, 1000, (TRAINING_BATCH,)).cuda()
        self.optimizer = torch.optim.SGD(self.network.parameters(), lr=0.01, foreach=True)

    def batch(self):
        """Crops and flips each picture at random, as one does against learning by heart."""
        corners = torch.randint(0, 32, (TRAINING_BATCH, 3)).tolist()
        cut = [
            (picture[:, y : y + 224, x : x + 224].flip(2) if coin % 2 else picture[:, y : y + 224, x : x + 224])
            for picture, (x, y, coin) in zip(self.pictures, corners)
        ]
        images = torch.stack(cut).pin_memory().to("cuda", non_blocking=True)
        return ((images.float() - 127.5) / 64).to(memory_format=torch.channels_last)

    def launch(self):
        images = self.batch()
        with torch.autocast("cuda", torch.float16):
            loss = torch.nn.functional.cross_entropy(self.network(images), self.labels)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        self.loss = loss.item()

    def output(self):
        fresh = job("resnet50_training")
        for _ in range(3):
            fresh.launch()
        torch.cuda.synchronize()
        return digest(*fresh.network.parameters())
