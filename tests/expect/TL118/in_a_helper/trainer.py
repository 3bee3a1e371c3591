import torch
from parallel import parallelize


class Trainer:
    def __init__(self, build, job):
        model = build(job)
        self.optimizers = [torch.optim.AdamW(model.parameters(), lr=job.lr, fused=True)]  # expect: TL118
        self.model = parallelize(model, job.world, torch.bfloat16)

    def step(self, x, y):
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        torch.nn.functional.cross_entropy(self.model(x), y).backward()
        for optimizer in self.optimizers:
            optimizer.step()


class InTime:
    def __init__(self, build, job):
        self.model = parallelize(build(job), job.world, torch.bfloat16)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=job.lr, fused=True)

    def step(self, x, y):
        self.optimizer.zero_grad()
        torch.nn.functional.cross_entropy(self.model(x), y).backward()
        self.optimizer.step()
