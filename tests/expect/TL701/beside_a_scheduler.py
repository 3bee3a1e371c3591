"""Two things step behind a backward pass: one was made as a scheduler, so the other is the optimizer, whatever it is called."""

from accelerate import Accelerator
from torch.optim.lr_scheduler import StepLR


def fit(net, descent, samples):
    pace = StepLR(descent, 30)
    for batch in samples:
        net(batch).mean().backward()
        descent.step()  # expect: TL701
        pace.step()


class Fitting:
    def __init__(self, net, descent):
        self.net, self.descent = net, descent
        self.pace = StepLR(descent, 30)

    def run(self, samples):
        for batch in samples:
            self.net(batch).mean().backward()
            self.descent.step()  # expect: TL701
            self.pace.step()

    def emptied(self, samples):
        for batch in samples:
            self.descent.zero_grad()
            self.net(batch).mean().backward()
            self.descent.step()
            self.pace.step()


def prepared(net, descent, samples):
    accelerator = Accelerator()
    net, descent, samples = accelerator.prepare(net, descent, samples)
    for batch in samples:
        accelerator.backward(net(batch).mean())
        descent.step()  # expect: TL701


def two_of_which_nobody_knows(net, first, second, samples):
    for batch in samples:
        net(batch).mean().backward()
        first.step()
        second.step()
