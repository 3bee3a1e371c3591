"""What is stepped after a backward pass, and nothing else is: it applies the gradients, whatever anybody calls it."""

import torch


def plain(net, batches, apply):
    for batch in batches:
        net(batch).mean().backward()
        apply.step()  # expect: TL701


class Fitting:
    def __init__(self, net, updates, judge):
        self.net, self.updates, self.judge = net, updates, judge

    def run(self, batches):
        for x, y in batches:
            loss = self.judge(self.net(x), y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.updates.step()  # expect: TL701


def beside_a_clock(net, batches, apply, clock):
    """Which of the two applies the gradients nobody says."""
    for batch in batches:
        net(batch).mean().backward()
        apply.step()
        clock.step()


def emptied_by_another(net, batches, apply, clock):
    """What empties the gradients has them applied, too."""
    for batch in batches:
        apply.zero_grad()
        net(batch).mean().backward()
        clock.step()


def by_a_function(net, batches, clock, apply):
    for batch in batches:
        net(batch).mean().backward()
        apply_all(apply)
        clock.step()


def apply_all(apply):
    apply.step()
    apply.zero_grad()
