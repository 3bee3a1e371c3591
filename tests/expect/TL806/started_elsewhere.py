import torch
from torch import nn
from torch.profiler import profile, ProfilerActivity


class ProfiledTrainer:
    activities = (ProfilerActivity.CPU, ProfilerActivity.CUDA)

    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.profiler = profile(activities=self.activities)  # expect: TL806

    def fit(self, loader, epochs):
        self.profiler.start()
        try:
            for _ in range(epochs):
                for x, y in loader:
                    self.optimizer.zero_grad()
                    nn.functional.cross_entropy(self.model(x), y).backward()
                    self.optimizer.step()
                    self.profiler.step()
        finally:
            self.profiler.stop()


def main(loader):
    model = nn.Linear(8, 2).cuda()
    ProfiledTrainer(model, torch.optim.SGD(model.parameters(), lr=0.1)).fit(loader, 3)
