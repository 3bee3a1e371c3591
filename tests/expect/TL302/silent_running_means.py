"""Means that hold no graph, or start anew, or are the loss itself."""

import torch
import torch.nn.functional as F


def detached(net, optimizer, batches):
    mean = None
    for inputs, labels in batches:
        loss = F.mse_loss(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean = loss.detach() if mean is None else 0.9 * mean + 0.1 * loss.detach()


def numbers(net, optimizer, batches):
    mean = -1.0
    for inputs, labels in batches:
        loss = F.mse_loss(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if mean < 0:
            mean = loss.item()
        else:
            mean = 0.9 * mean + 0.1 * loss.item()


def anew(net, optimizer, batches, every):
    total = None
    for number, (inputs, labels) in enumerate(batches):
        loss = F.mse_loss(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if number % every == 0:
            total = loss
        else:
            total = total + loss


def by_what_it_holds(net, optimizer, batches):
    total = 0
    for inputs, labels in batches:
        loss = F.mse_loss(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if total > 100:
            total = loss
        else:
            total = total + loss


def by_the_batch(net, optimizer, batches):
    total = None
    for batch in batches:
        loss = F.mse_loss(net(batch["x"]), batch["y"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if batch["first"] == 1:
            total = loss
        else:
            total = total + loss


def parts_of_one_loss(nets, optimizer, batches):
    for inputs, labels in batches:
        loss = None
        for net in nets:
            part = F.mse_loss(net(inputs), labels)
            if loss is None:
                loss = part
            else:
                loss = loss + part
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Smoothed:
    def __init__(self):
        self.value = None

    @torch.no_grad()
    def add(self, x):
        if self.value is None:
            self.value = x.clone()
        else:
            self.value = self.value * 0.9 + x * 0.1


class Chosen:
    def __init__(self):
        self.values, self.shown = {}, ("lr",)

    def add(self, parts):
        for name in parts:
            if name in self.shown:
                self.values[name] = self.values.get(name, 0) + parts[name]


def in_objects(net, optimizer, batches):
    smoothed, chosen = Smoothed(), Chosen()
    for inputs, labels in batches:
        loss = F.mse_loss(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        smoothed.add(loss)
        chosen.add({"loss": loss, "lr": 0.1})
