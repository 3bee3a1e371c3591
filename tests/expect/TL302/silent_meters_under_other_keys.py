"""Two kinds of meters in one dict: the sum of one of them is not that of the other."""


class Smooth:
    def __init__(self):
        self.total = 0.0

    def update(self, value, count=1):
        self.total += value * count


class Record:
    def __init__(self):
        self.meters = None

    def update(self, values):
        if self.meters is None:
            self.meters = {name: Smooth() for name in values}
        for name, meter in self.meters.items():
            meter.update(float(values[name]))


class Fitter:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.status = {}

    def fit(self, loader):
        self.status["record"] = Record()
        self.status["seconds"] = Smooth()
        for batch in loader:
            out = self.model(batch)
            out["loss"].backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.status["record"].update(out)
            self.status["seconds"].update(batch.seconds)
