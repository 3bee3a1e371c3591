# A reset stands in the trainer of allenai/OLMo where it changes phase, and in the benchmark of huggingface/pytorch-image-models.
import torch


class Trainer:
    def __init__(self, model, optimizer, loader):
        self.model = torch.compile(model)
        self.optimizer = optimizer
        self.loader = loader

    def evaluate(self, batches):
        torch.compiler.reset()
        with torch.no_grad():
            return [self.model(batch) for batch in batches]

    def fit(self, batches):
        for batch in self.loader:
            self.model(batch).mean().backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            torch._dynamo.reset()  # expect: TL564
        self.evaluate(batches)


def benchmark(models, batch, optimizer):
    for model in models:
        torch._dynamo.reset()
        fast = torch.compile(model, backend="inductor")
        fast(batch)
