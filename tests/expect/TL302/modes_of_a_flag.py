"""A block that records gradients or not, by a flag: where a backward pass runs on what was computed in it, it does record."""

import torch


def both_phases(model, loaders, optimizer, criterion):
    for phase in ("train", "val"):
        total = 0.0
        for x, y in loaders[phase]:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                loss = criterion(model(x), y)
                total += loss  # expect: TL302
                if phase == "train":
                    loss.backward()
                    optimizer.step()
        print(phase, total)


class Diffusion:
    def __init__(self, model, loader):
        self.model = model
        self.loader = loader
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.mse = torch.nn.MSELoss()

    def step(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def epoch(self, train=True):
        average = 0.0
        for noised, noise in self.loader:
            with torch.inference_mode() if not train else torch.enable_grad():
                loss = self.mse(self.model(noised), noise)
                average += loss  # expect: TL302
            if train:
                self.step(loss)
        return average.item() / len(self.loader)

    def epoch_of_the_last_manager(self, train=True):
        average = 0.0
        for noised, noise in self.loader:
            with torch.autocast("cuda") and (torch.no_grad() if not train else torch.enable_grad()):
                loss = self.mse(self.model(noised), noise)
                average += loss  # expect: TL302
            if train:
                self.step(loss)
        return average.item() / len(self.loader)
