import torch
from engine import Small, Restoring, Trainer, distil, fit


def main(data, held_out):
    model = Small()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    Trainer(model, optimizer, 100).train_epoch(data, held_out)
    other = Small()
    Restoring(other, torch.optim.SGD(other.parameters(), lr=0.1), 100).train_epoch(data, held_out)
    third = Small()
    fit(third, torch.optim.SGD(third.parameters(), lr=0.1), data, held_out)
    distil(third, model, torch.optim.SGD(third.parameters(), lr=0.1), data)
