import torch.nn.functional as F


def train_one_epoch(model, loader, optimizer):
    model.train()
    for image, target in loader:
        logits = model.module.forward(image)  # expect: TL117
        loss = F.cross_entropy(logits, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def evaluate(model, loader):
    model.eval()
    return [model.module(image).argmax(1) for image, _ in loader]
