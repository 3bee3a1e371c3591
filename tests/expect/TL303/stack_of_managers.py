import contextlib

import torch
from torch import nn


class Evaluator:
    def __init__(self, model, metrics, amp=False):
        self.model = model
        self.metrics = metrics
        self.amp = amp

    def contexts(self):
        stack = contextlib.ExitStack()
        if self.amp:
            stack.enter_context(torch.autocast("cuda"))
        return stack

    def __call__(self, loader):
        self.model.eval()
        with self.contexts():
            for x, y in loader:
                out = self.model(x)  # expect: TL303
                for metric in self.metrics:
                    metric.update(out.argmax(1), y)
        return {m.name: m.compute() for m in self.metrics}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.fc(x))


def main(loader, val, metrics):
    model = Net()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    evaluator = Evaluator(model, metrics)
    for epoch in range(10):
        model.train()
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, evaluator(val))
