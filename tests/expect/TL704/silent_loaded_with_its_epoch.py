"""The helper that returns it with something else, or who gets it, puts the model into evaluation mode."""

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
    model.eval()
    return model, state["epoch"]


def predict(dataset, path):
    model, epoch = restored(path)
    print(epoch)
    with torch.no_grad():
        return [model(dataset[index].unsqueeze(0)).cpu() for index in range(len(dataset))]


def loaded(path):
    model = Net()
    model.load_state_dict(torch.load(path, weights_only=True))
    return model, path


def predict_later(dataset, path):
    model, _ = loaded(path)
    model.eval()
    with torch.no_grad():
        return [model(each).cpu() for each in dataset]
