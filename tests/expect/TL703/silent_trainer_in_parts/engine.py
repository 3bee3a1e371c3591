"""Models, optimizers and schedules under names; the schedules step when an epoch is over."""


class Engine:
    def __init__(self, models, optimizers, schedules):
        self._models, self._optimizers, self._schedules = models, optimizers, schedules

    def update_lr(self, names=None):
        for name in names or list(self._models):
            if self._schedules[name] is not None:
                self._schedules[name].step()

    def run(self, loader, epochs):
        for self.epoch in range(epochs):
            self.train(loader)

    def train(self, loader):
        for batch in loader:
            self.forward_backward(batch)
        self.update_lr()

    def forward_backward(self, batch):
        raise NotImplementedError
