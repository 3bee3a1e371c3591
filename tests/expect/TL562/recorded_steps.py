# The modes are those that Lightning-AI/litgpt and facebookresearch/sam2 compile with; the loops those of a trainer and of a script.
import torch
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, dataset, config):
        self.model = torch.compile(model, options={"triton.cudagraphs": True})
        self.optimizer = torch.optim.AdamW(self.model.parameters())
        self.loader = DataLoader(dataset, config.batch_size, shuffle=True, num_workers=4)  # expect: TL562

    def step(self, batch):
        loss = self.model(batch).mean()
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()

    def run(self, epochs):
        for _ in range(epochs):
            for batch in self.loader:
                self.step(batch)


def warmed(model, dataset, optimizer):
    step = torch.compile(model.forward, mode="max-autotune")
    loader = DataLoader(dataset, batch_size=16, drop_last=True)
    for batch in loader:
        step(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def made_up(model, optimizer):
    fast = torch.compile(model, mode="reduce-overhead")
    loader = DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=16)
    for (batch,) in loader:
        fast(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def evaluated_only(model, dataset):
    fast = torch.compile(model, mode="reduce-overhead")
    with torch.inference_mode():
        for batch in DataLoader(dataset, batch_size=16):
            fast(batch)


def default_mode(model, dataset, optimizer, mode="default"):
    fast = torch.compile(model, mode=mode)
    for batch in DataLoader(dataset, batch_size=16):
        fast(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
