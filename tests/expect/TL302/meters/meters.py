class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum = self.count = 0
        self.avg = 0.0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n
        self.avg = self.sum / self.count


class Smoothed:
    """Follows a value slowly."""

    def __init__(self, weight):
        self.weight = weight
        self.ema = 0

    def record(self, value):
        self.ema = self.weight * self.ema + (1 - self.weight) * value


class Careful(AverageMeter):
    def update(self, value, n=1):
        if hasattr(value, "item"):
            value = value.item()
        super().update(value, n)


class Detaching:
    def __init__(self):
        self.total = 0.0

    def update(self, value):
        self.total += value.detach()


class Converting:
    def __init__(self):
        self.total = 0.0

    def update(self, value):
        self.total += float(value)
