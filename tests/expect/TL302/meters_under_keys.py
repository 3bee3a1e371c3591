"""Meters in a dict that sum up what they are given."""


class Smooth:
    def __init__(self):
        self.total = 0.0

    def update(self, value, count=1):
        self.total += value * count


class Fitter:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.status = {}

    def fit(self, loader):
        self.status["loss"] = Smooth()
        self.status["seconds"] = Smooth()
        for batch in loader:
            loss = self.model(batch)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.status["loss"].update(loss)  # expect: TL302
            self.status["seconds"].update(batch.seconds)
