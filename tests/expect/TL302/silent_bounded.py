"""The total does not outlive what it is about: it starts anew, or dies with one optimizer step."""


def starts_anew_at_each_boundary(model, loader, optimizer, criterion, steps, log):
    running = 0
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y) / steps
        running += loss
        loss.backward()
        if (i + 1) % steps == 0:
            optimizer.step()
            optimizer.zero_grad()
            log(running.item())
            running = 0


def one_optimizer_step(model, batches, optimizer, criterion):
    total = 0
    for x, y in batches:
        loss = criterion(model(x), y) / len(batches)
        loss.backward()
        total += loss
    optimizer.step()
    optimizer.zero_grad()
    return total.item()


def micro_batches(model, loader, optimizer, criterion, steps):
    for batch in loader:
        shown = 0.0
        for x, y in batch.chunks(steps):
            loss = criterion(model(x), y) / steps
            shown += loss
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(shown.item())


def last_one_only(model, loader, optimizer, criterion):
    shown = 0
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        shown = loss
    return shown.item()


class Trainer:
    def step(self, x, y):
        loss = self.criterion(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.window += loss
        if self.steps % 10 == 0:
            print(self.window.item())
            self.window = 0
        self.steps += 1


class WithMethods:
    def clear(self):
        self.window = 0

    def step(self, x, y):
        loss = self.criterion(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.window += loss

    def fit(self, loader):
        for x, y in loader:
            self.clear()
            self.step(x, y)
            print(self.window.item())


class Schedule:
    """The parts of one step: the weights are updated by whoever asked for it, and the total is gone then."""

    def part(self, engine, batch):
        loss = engine.criterion(engine.model(batch))
        engine.backward(loss)
        return loss

    def forward_backward(self, engine, batches, parts):
        total = 0
        for number in range(parts):
            total += self.part(engine, batches[number])
        return total


def one_step(engine, batches):
    loss = Schedule().forward_backward(engine, batches, 4)
    engine.optimizer.step()
    return loss.item()
