import torch.distributed as dist


class Saver:
    def save(self, state):
        dist.barrier()
        print(state)


class Printer:
    def save(self, state):
        print(state)


class Trainer:
    """Two classes have a method `save`: which one runs is said where the object is made."""

    def __init__(self, saver, rank):
        self.saver = saver
        self.rank = rank

    def end(self):
        if self.rank == 0:
            self.saver.save({})  # expect: TL101


class Quiet:
    def __init__(self, saver, rank):
        self.saver = saver
        self.rank = rank

    def end(self):
        if self.rank == 0:
            self.saver.save({})


class Longer(Trainer):
    """Hands on what it is given; so does a class that is derived from it."""

    def __init__(self, saver, rank, limit):
        super().__init__(saver, rank)
        self.limit = limit

    def last(self):
        if self.rank == 0 and self.limit:
            self.saver.save({})  # expect: TL101
