"""Long steps in a straight line: what is added up is made of values that are used by many others: the totals keep the graph of each round."""

import torch


def integrate(net, x, dt):
    """Four steps of Runge and Kutta, written out."""
    k1 = net(x)
    k2 = net(x + 0.5 * dt * k1)
    k3 = net(x + 0.5 * dt * k2)
    k4 = net(x + dt * k3)
    a = x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    k1 = net(a)
    k2 = net(a + 0.5 * dt * k1)
    k3 = net(a + 0.5 * dt * k2)
    k4 = net(a + dt * k3)
    b = a + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    k1 = net(b)
    k2 = net(b + 0.5 * dt * k1)
    k3 = net(b + 0.5 * dt * k2)
    k4 = net(b + dt * k3)
    c = b + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    k1 = net(c)
    k2 = net(c + 0.5 * dt * k1)
    k3 = net(c + 0.5 * dt * k2)
    k4 = net(c + dt * k3)
    d = c + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return d, k4 - k1


def learn_dynamics(net, optimizer, loader, dt):
    errors, bends = 0.0, 0.0
    for states, later in loader:
        optimizer.zero_grad()
        reached, bend = integrate(net, states, dt)
        error = (reached - later).pow(2).mean()
        bent = bend.pow(2).mean()
        loss = error + 0.01 * bent
        loss.backward()
        optimizer.step()
        errors += error  # expect: TL302
        bends += bent  # expect: TL302
    return errors / len(loader), bends / len(loader)


class Refiner:
    """A flow that is refined at six levels, each with all that was found before."""

    def __init__(self, coarse, fine, lr):
        self.coarse, self.fine = coarse, fine
        self.optimizer = torch.optim.Adam([*coarse.parameters(), *fine.parameters()], lr=lr)

    def fit(self, loader):
        seen = 0.0
        for first, second, flow in loader:
            self.optimizer.zero_grad()
            guess = self.coarse(first, second)
            step = self.fine(first, second, guess)
            guess = guess + step
            speed = step.abs() + guess.abs()
            step = self.fine(first - guess, second + guess, guess + step)
            guess = guess + step * speed
            speed = speed + step.abs() * guess.abs()
            step = self.fine(first - guess, second + guess, guess + step)
            guess = guess + step * speed
            speed = speed + step.abs() * guess.abs()
            step = self.fine(first - guess, second + guess, guess + step)
            guess = guess + step * speed
            speed = speed + step.abs() * guess.abs()
            step = self.fine(first - guess, second + guess, guess + step)
            guess = guess + step * speed
            speed = speed + step.abs() * guess.abs()
            step = self.fine(first - guess, second + guess, guess + step)
            guess = guess + step * speed
            error = (guess - flow).abs().mean()
            penalty = speed.mean()
            loss = error + 0.1 * penalty
            loss.backward()
            self.optimizer.step()
            seen += error  # expect: TL302
        return float(seen) / len(loader)
