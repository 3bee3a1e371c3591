"""An optimizer is given what was loaded as a whole: of a file that holds more, or its state alone."""

import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())
        self.step = 0

    def save(self, path):
        package = dict(model=self.model.state_dict(), optimizer=self.optimizer.state_dict(), step=self.step)
        torch.save(package, str(path))

    def load(self, path):
        package = torch.load(str(path))
        self.model.load_state_dict(package["model"])
        self.optimizer.load_state_dict(package)  # expect: TL604
        self.step = package["step"]


class Apart:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())
        self.step = 0

    def save(self, path):
        torch.save(dict(model=self.model.state_dict(), step=self.step), f"{path}/model.pt")
        torch.save(self.optimizer.state_dict(), f"{path}/optimizer.pt")

    def load(self, path):
        package = torch.load(f"{path}/model.pt")
        self.model.load_state_dict(package["model"])
        self.optimizer.load_state_dict(torch.load(f"{path}/optimizer.pt"))
        self.step = package["step"]


class Weights:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())

    def load(self, path):
        package = torch.load(str(path))
        self.model.load_state_dict(package)
