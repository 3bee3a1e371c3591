"""The switch is around the pass, or holds when it runs, or what is frozen is the model that runs."""

import torch


class Phases:
    def __init__(self, model, loaders, criterion, optimizer):
        self.model, self.loaders = model, loaders
        self.criterion, self.optimizer = criterion, optimizer

    def run(self, phase):
        self.model.train(phase == "train")
        right = 0
        for images, labels in self.loaders[phase]:
            self.optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                out = self.model(images)
                loss = self.criterion(out, labels)
            right += (out.argmax(1) == labels).sum().item()
            if phase == "train":
                loss.backward()
                self.optimizer.step()
        return right

    def measure(self, loader):
        self.model.eval()
        torch.set_grad_enabled(False)
        right = 0
        for images, labels in loader:
            right += (self.model(images).argmax(1) == labels).sum().item()
        torch.set_grad_enabled(True)
        return right


def frozen(model, held_out):
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    model.eval()
    agreed = 0
    for images, labels in held_out:
        agreed += (model(images).argmax(1) == labels).sum().item()
    return agreed


def both(student, teacher, held_out):
    student.eval()
    teacher.eval()
    agreed = 0
    with torch.no_grad():
        for images, _ in held_out:
            agreed += (student(images).argmax(1) == teacher(images).argmax(1)).sum().item()
    return agreed


def attacked(model, held_out, criterion, size):
    """An evaluation that needs gradients: those of its inputs."""
    model.eval()
    right = 0
    for images, labels in held_out:
        images.requires_grad_(True)
        loss = criterion(model(images), labels)
        direction = torch.autograd.grad(loss, images)[0].sign()
        right += (model(images + size * direction).argmax(1) == labels).sum().item()
    return right


def shapes(known):
    """A model of its own in each round, which runs once: a look at what comes out, no evaluation."""
    for name in known:
        model = globals()[name](fuse=True)
        images = torch.randn(1, 3, 224, 224)
        model.eval()
        print(name, model(images).shape)
