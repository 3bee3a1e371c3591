"""What is to happen to the gradients is said in the settings, or by who constructs the trainer."""

SETTINGS = {"lr": 0.1, "zero": {"set_to_none": False}}
QUICK = {"lr": 0.1, "zero": {"set_to_none": True}}


class Trainer:
    def __init__(self, model, optimizer, free):
        self.model, self.optimizer, self.free = model, optimizer, free

    def step(self, x):
        self.optimizer.zero_grad(set_to_none=self.free)  # expect: TL308
        self.model(x).sum().backward()
        self.optimizer.step()


class Other:
    def __init__(self, model, optimizer, free):
        self.model, self.optimizer, self.free = model, optimizer, free

    def step(self, x):
        self.optimizer.zero_grad(set_to_none=self.free)
        self.model(x).sum().backward()
        self.optimizer.step()


class Changed(Other):
    keeps = False

    def step(self, x):
        self.optimizer.zero_grad(set_to_none=self.keeps)
        super().step(x)


def fit(model, optimizer, loader, options):
    for x in loader:
        optimizer.zero_grad(**SETTINGS["zero"])  # expect: TL308
        optimizer.zero_grad(**QUICK["zero"])
        optimizer.zero_grad(**options)
        model(x).sum().backward()
        optimizer.step()


def main(model, optimizer, loader, options):
    trainer, others = Trainer(model, optimizer, free=False), [Other(model, optimizer, free) for free in (False, True)]
    changed = Changed(model, optimizer, True)
    changed.keeps = options.keeps
    for x in loader:
        trainer.step(x)
        changed.step(x)
        for other in others:
            other.step(x)
    fit(model, optimizer, loader, options)
