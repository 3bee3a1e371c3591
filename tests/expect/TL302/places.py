"""Totals that are no local names: items, attributes, globals, objects of other functions."""

from collections import defaultdict

best = 0
running = 0.0


def item_of_a_dict(model, loader, optimizer, criterion):
    totals = {"loss": 0.0, "seen": 0}
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        totals["loss"] += loss  # expect: TL302
        totals["seen"] += x.size(0)
    return totals


def item_with_a_default(generator, critic, loader, optimizers):
    sums = defaultdict(float)
    for real in loader:
        critic_loss = critic(generator(real)).mean() - critic(real).mean()
        optimizers[0].zero_grad()
        critic_loss.backward()
        optimizers[0].step()
        sums["critic"] += critic_loss  # expect: TL302
        generator_loss = -critic(generator(real)).mean()
        optimizers[1].zero_grad()
        generator_loss.backward()
        optimizers[1].step()
        sums["generator"] = sums.get("generator", 0) + generator_loss  # expect: TL302
    return sums


def a_global(model, loader, optimizer, criterion):
    global running
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        running += loss  # expect: TL302


class Trainer:
    def __init__(self, model, optimizer, criterion):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.total = 0.0
        self.count = 0

    def step(self, x, y):
        loss = self.criterion(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.total += loss  # expect: TL302
        self.count += 1

    def epoch(self, loader):
        self.total = 0.0
        for x, y in loader:
            self.step(x, y)
        return self.total / self.count


class WrittenOut:
    def run(self, loader):
        for x, y in loader:
            loss = self.model(x, y)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.meters.running = self.meters.running + loss  # expect: TL302


class Statistics:
    def __init__(self, device_tensors):
        self.tensors = device_tensors

    def of(self, name):
        return self.tensors[name]


def one_batch(model, batch, criterion, scaler, statistics):
    loss = criterion(model(batch["x"]), batch["y"])
    statistics.of("loss").add_(loss)  # expect: TL302
    scaler.scale(loss).backward()


def in_place(model, loader, criterion, scaler, optimizer, tensors):
    statistics = Statistics(tensors)
    for batch in loader:
        one_batch(model, batch, criterion, scaler, statistics)
        scaler.step(optimizer)
        optimizer.zero_grad()
        scaler.update()
