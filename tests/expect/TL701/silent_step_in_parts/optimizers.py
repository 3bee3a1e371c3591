"""Several optimizers behind one."""


class Optimizers:
    def __init__(self, *inner):
        self.inner = inner

    def zero_grad(self):
        for each in self.inner:
            each.zero_grad(set_to_none=True)

    def step(self):
        for each in self.inner:
            each.step()


class Averager:
    def __init__(self, model):
        self.model = model

    def empty(self):
        for weight in self.model.parameters():
            weight.grad = None
