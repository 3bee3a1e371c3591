"""What is called a scaler scales the data; nothing scales the loss."""

import torch
from sklearn.preprocessing import MinMaxScaler, StandardScaler


def forecast(model, series, loader):
    scaler = StandardScaler().fit(series)
    optimizer = torch.optim.Adam(model.parameters())
    for window, later in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
            loss = torch.nn.functional.l1_loss(model(window), later)
        loss.backward()
        optimizer.step()
    return scaler.inverse_transform(model(series[-1:]).detach().cpu())


class Forecaster:
    def __init__(self, model):
        self.model = model
        self.scaler = MinMaxScaler()
        self.optimizer = torch.optim.Adam(model.parameters())

    def fit(self, table, loader):
        self.scaler.fit(table)
        for window, later in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
                loss = torch.nn.functional.l1_loss(self.model(window), later)
            loss.backward()
            self.optimizer.step()

    def back(self, values):
        return self.scaler.inverse_transform(values)
