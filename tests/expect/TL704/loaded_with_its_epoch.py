"""A helper makes a model, loads its weights, and returns it with something else."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5))

    def forward(self, batch):
        return self.layers(batch)


def restored(path):
    state = torch.load(path, weights_only=True)
    model = Net()
    model.load_state_dict(state["model"])
    return model, state["epoch"]


def predict(dataset, path):
    model, epoch = restored(path)
    print(epoch)
    with torch.no_grad():
        return [model(dataset[index].unsqueeze(0)).cpu() for index in range(len(dataset))]  # expect: TL704
