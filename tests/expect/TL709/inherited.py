import torch
import torch.nn as nn
import torchvision


class Base:
    def __init__(self, task):
        self.model = torchvision.models.resnet18()
        params = []
        for p in self.model.parameters():
            if p.requires_grad:
                params.append(p)
        self._params = params
        self.optimizer = torch.optim.Adam(self._params, lr=1e-3)

    def train(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()


class End(Base):
    def __init__(self, task):
        super().__init__(task)
        self.model.fc = nn.Linear(512, 10)  # expect: TL709


class Named(Base):
    def __init__(self, task):
        Base.__init__(self, task)
        self.model.fc = nn.Linear(512, 10)  # expect: TL709


class Again(Base):
    def __init__(self, task):
        super().__init__(task)
        self.model.fc = nn.Linear(512, 10)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)


class Plain(Base):
    def __init__(self, task):
        super().__init__(task)
        self.name = "plain"


class First(Base):
    def __init__(self, task):
        super().__init__(task)
        self.head = nn.Linear(512, 10)


class Decayed:
    def __init__(self):
        self.model = torchvision.models.resnet18()
        decay, rest = [], []
        for name, p in self.model.named_parameters():
            if name.endswith("bias"):
                rest.append(p)
            else:
                decay.append(p)
        self.optimizer = torch.optim.AdamW([{"params": decay}, {"params": rest, "weight_decay": 0.0}])
        self.model.fc = nn.Linear(512, 10)  # expect: TL709

    def train(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()


class OnlyHead:
    def __init__(self):
        self.model = torchvision.models.resnet18()
        head = []
        for name, p in self.model.named_parameters():
            if name.startswith("layer4"):
                head.append(p)
        self.optimizer = torch.optim.AdamW(head)
        self.model.fc = nn.Linear(512, 10)

    def train(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()
