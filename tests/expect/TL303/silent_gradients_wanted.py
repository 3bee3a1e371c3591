"""A model in evaluation mode, and somebody does want the gradients."""

import torch
import torch.nn.functional as F


def attacked(model, loader, size, steps):
    model.eval()
    right = 0
    for x, y in loader:
        delta = torch.zeros_like(x, requires_grad=True)
        for _ in range(steps):
            loss = F.cross_entropy(model(x + delta), y)
            loss.backward()
            delta.data = (delta + size * delta.grad.sign()).detach()
            delta.grad.zero_()
        right += (model(x + delta.detach()).argmax(1) == y).sum().item()
    return right


def explained(model, loader):
    model.eval()
    for x, y in loader:
        x.requires_grad_()
        score = model(x).gather(1, y[:, None]).sum()
        score.backward()
        yield x.grad


def adapted(model, loader, optimizer):
    model.eval()
    for x in loader:
        entropy = -(model(x).softmax(1) * model(x).log_softmax(1)).sum(1).mean()
        optimizer.zero_grad()
        entropy.backward()
        optimizer.step()


def by_an_attack(model, loader, attack):
    model.eval()
    for x, y in loader:
        print((model(attack(model, x, y)).argmax(1) == y).float().mean())


def collected_for_a_loss(teacher, student, loader, optimizer):
    student.eval()
    losses = []
    for x in loader:
        losses.append(F.mse_loss(student(x), teacher(x)))
    torch.stack(losses).mean().backward()
    optimizer.step()


def frozen(model, loader):
    model.eval()
    model.freeze_all()
    for x in loader:
        print(model(x).mean())


def once(model, image):
    model.eval()
    return model(image)


def main(model, loader, attack, optimizer, teacher):
    attacked(model, loader, 0.1, 10)
    list(explained(model, loader))
    adapted(model, loader, optimizer)
    by_an_attack(model, loader, attack)
    collected_for_a_loss(teacher, model, loader, optimizer)
    frozen(model, loader)
    print(once(model, next(iter(loader))))
