"""Windows of batches whose gradients are emptied before the last of them: what the others computed is lost."""

import torch


def before_the_last(model, optimizer, loader, window):
    for number, (images, labels) in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(model(images), labels) / window
        if (number + 1) % window == 0:
            optimizer.zero_grad()  # expect: TL702
        loss.backward()
        if (number + 1) % window == 0:
            optimizer.step()


def also_at_the_end(model, optimizer, loader, window):
    for number, (images, labels) in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(model(images), labels) / window
        if not (number + 1) % window:
            optimizer.zero_grad()  # expect: TL702
        loss.backward()
        if (number + 1) % window == 0 or number + 1 == len(loader):
            optimizer.step()


def before_each_of_a_counted_window(model, optimizer, loader, window):
    done = 0
    for images, labels in loader:
        optimizer.zero_grad()  # expect: TL702
        (torch.nn.functional.cross_entropy(model(images), labels) / window).backward()
        done += 1
        if done == window:
            optimizer.step()
            done = 0


def before_the_first(model, optimizer, loader, window):
    for number, (images, labels) in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(model(images), labels) / window
        if number % window == 0:
            optimizer.zero_grad()
        loss.backward()
        if (number + 1) % window == 0:
            optimizer.step()


def every_so_often_alone(critic, generator, critics, generators, loader, every):
    for number, real in enumerate(loader):
        critics.zero_grad()
        (critic(generator(real).detach()) - critic(real)).mean().backward()
        critics.step()
        if number % every == 0:
            generators.zero_grad()
            (-critic(generator(real)) / 2).mean().backward()
            generators.step()


def in_the_arm_of_the_last(model, criterion, optimizer, loader, window):
    for number, (images, labels) in enumerate(loader):
        loss = criterion(model(images), labels) / window
        if (number + 1) % window == 0:
            optimizer.zero_grad()  # expect: TL702
            loss.backward()
            optimizer.step()
        else:
            loss.backward()


def each_arm_its_own(critic, generator, critics, generators, loader, every):
    for number, real in enumerate(loader):
        if number % every == 0:
            generators.zero_grad()
            (-critic(generator(real)) / 2).mean().backward()
            generators.step()
        else:
            critics.zero_grad()
            ((critic(generator(real).detach()) - critic(real)) / 2).mean().backward()
            critics.step()


def last_part_of_a_batch(model, optimizer, batches, parts):
    for batch in batches:
        for number, part in enumerate(batch.chunk(parts)):
            if number == parts - 1:
                optimizer.zero_grad()  # expect: TL702
            (model(part).mean() / parts).backward()
        optimizer.step()


def last_turn_of_a_batch(model, optimizer, batches, parts):
    for batch in batches:
        pieces = batch.chunk(parts)
        for number, part in enumerate(pieces):
            if (number + 1) % len(pieces) == 0:
                optimizer.zero_grad()  # expect: TL702
            (model(part).mean() / parts).backward()
        optimizer.step()


def first_part_of_a_batch(model, optimizer, batches, parts):
    for batch in batches:
        for number, part in enumerate(batch.chunk(parts)):
            if number == 0:
                optimizer.zero_grad()
            (model(part).mean() / parts).backward()
        optimizer.step()


def first_turn_of_a_batch(model, optimizer, batches, parts):
    for batch in batches:
        for number, part in enumerate(batch.chunk(parts)):
            if number % parts == 0:
                optimizer.zero_grad()
            (model(part).mean() / parts).backward()
        optimizer.step()


class CountedOn:
    def __init__(self, model, window):
        self.model, self.window = model, window
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.count = 0

    def one(self, batch):
        self.count += 1
        if self.count % self.window == 0:
            self.optimizer.zero_grad()  # expect: TL702
        loss = self.model(batch).mean() / self.window
        loss.backward()
        if self.count % self.window == 0:
            self.optimizer.step()

    def run(self, loader):
        for batch in loader:
            self.one(batch)


class CountedOnBetween:
    def __init__(self, model, window):
        self.model, self.window = model, window
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.count = 0

    def one(self, batch):
        if self.count % self.window == 0:
            self.optimizer.zero_grad()
        self.count += 1
        loss = self.model(batch).mean() / self.window
        loss.backward()
        if self.count % self.window == 0:
            self.optimizer.step()

    def run(self, loader):
        for batch in loader:
            self.one(batch)


class LastOfAWindow:
    def __init__(self, window):
        self.window = window

    def before_backward(self, trainer):
        if (trainer.number + 1) % self.window == 0:
            trainer.optimizer.zero_grad()  # expect: TL702

    def after_backward(self, trainer):
        if (trainer.number + 1) % self.window == 0:
            trainer.optimizer.step()


class CallsBack:
    def __init__(self, model, hook: LastOfAWindow):
        self.model, self.hook = model, hook
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def fit(self, loader):
        for self.number, batch in enumerate(loader):
            self.hook.before_backward(self)
            (self.model(batch).mean() / self.hook.window).backward()
            self.hook.after_backward(self)


def fit(model, loader):
    CallsBack(model, LastOfAWindow(4)).fit(loader)
