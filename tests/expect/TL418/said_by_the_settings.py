"""What is turned on is said by an object with settings, or by whoever calls."""

import torch


class Settings:
    def __init__(self, anomalies):
        self.anomalies = anomalies


def prepared(anomalies):
    torch.autograd.set_detect_anomaly(anomalies)  # expect: TL418


def watched(anomalies):
    torch.autograd.set_detect_anomaly(anomalies)


def fit(model, loader, optimizer):
    settings = Settings(True)
    torch.autograd.set_detect_anomaly(settings.anomalies)  # expect: TL418
    prepared(True)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()


def fit_quickly(model, loader, optimizer, options):
    settings = Settings(False)
    torch.autograd.set_detect_anomaly(settings.anomalies)
    watched(options.anomalies)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
