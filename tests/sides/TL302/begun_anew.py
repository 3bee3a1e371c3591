"""Running totals of losses: what begins them, what empties them, and whether that is in the same round."""

import torch
import torch.nn.functional as F


def begun_where_there_is_none(model, loader, optimizer):
    mean = None
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if mean is None:
            mean = loss.detach()
        mean = 0.9 * mean + 0.1 * loss  # expect: TL302
    return mean


def begun_where_it_is_negative(model, loader, optimizer):
    mean = -1
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if mean < 0:
            mean = loss.detach()
        mean = 0.9 * mean + 0.1 * loss  # expect: TL302
    return mean


def begun_in_the_first_round(model, loader, optimizer):
    mean = 0
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i == 0:
            mean = loss.detach()
        mean = 0.9 * mean + 0.1 * loss  # expect: TL302
    return mean


def begun_in_every_hundredth_round(model, loader, optimizer):
    mean = 0
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 100 == 0:
            mean = loss.detach()
        mean = 0.9 * mean + 0.1 * loss
    return mean


def set_to_zero_now_and_then(model, loader, optimizer, log):
    total = 0
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss
        if i % 100 == 99:
            log(total)
            total = 0


def divided_now_and_then(model, loader, optimizer, log):
    total = 0
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss  # expect: TL302
        if i % 100 == 99:
            total = total / 2
            log(total)


def zeroed_in_place(model, loader, optimizer, log):
    total = torch.zeros(())
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss
        log(total)
        total.detach_()


def read_now_and_then(model, loader, optimizer, log):
    total = torch.zeros(())
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss  # expect: TL302
        log(total.item())


def under_a_name(model, loader, optimizer):
    totals = {"loss": 0}
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        totals["loss"] += loss  # expect: TL302
    return totals


def under_a_name_that_is_set_anew(model, loader, optimizer, log):
    totals = {"loss": 0}
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        totals["loss"] += loss
        if i % 100 == 99:
            log(totals)
            totals["loss"] = 0


def under_a_name_beside_one_that_is_set_anew(model, loader, optimizer, log):
    totals = {"loss": 0, "seen": 0}
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        totals["loss"] += loss  # expect: TL302
        totals["seen"] += len(y)
        if i % 100 == 99:
            log(totals)
            totals["seen"] = 0


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.kept, self.reset, self.emptied = 0, 0, 0

    def fit(self, loader):
        for x, y in loader:
            loss = F.mse_loss(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.kept += loss  # expect: TL302

    def fit_and_reset(self, loader, log):
        for i, (x, y) in enumerate(loader):
            loss = F.mse_loss(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.reset += loss
            if i % 100 == 99:
                log(self.reset)
                self.reset = 0

    def fit_and_call(self, loader, log):
        for i, (x, y) in enumerate(loader):
            loss = F.mse_loss(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.emptied += loss
            if i % 100 == 99:
                self.say(log)

    def say(self, log):
        log(self.emptied)
        self.emptied = 0


def added_in_two_statements(model, loader, optimizer, penalty):
    total = 0
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        extra = penalty(model)
        optimizer.zero_grad()
        (loss + extra).backward()
        optimizer.step()
        total = total + loss  # expect: TL302
        total = total + extra  # expect: TL302
    return total


def added_in_two_arms(model, loader, optimizer, twice):
    total = 0
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if twice:
            total = total + loss  # expect: TL302
            total = total * 2
        else:
            total = total + loss  # expect: TL302
    return total
