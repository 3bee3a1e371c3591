"""The exit hangs on a value that exists on one rank only, or on a flag that only one rank sets."""

import torch.distributed as dist


def no_writer(folder, loss):
    writer = open(folder / "log.txt", "a") if dist.get_rank() == 0 else None
    if writer is None:
        return
    dist.all_reduce(loss)  # expect: TL102
    writer.write(str(loss))


class Stopper:
    def __init__(self):
        self.stop = False

    def update(self, score):
        if dist.get_rank() == 0 and score < 0:
            self.stop = True

    def run(self, steps):
        for _ in range(steps):
            if self.stop:
                break
            dist.barrier()  # expect: TL102


class Patience:
    """Its state is changed by methods that one rank alone calls: under tests of their own, which ask for what they change, or none."""

    def __init__(self):
        self.best = 1e9
        self.over = self.seen = False

    def update(self, score):
        if score < self.best:
            self.best = score
        else:
            self.over = True

    def see(self):
        self.seen = True


def patiently(steps, validate):
    patience = Patience()
    for step in range(steps):
        dist.barrier()  # expect: TL102
        if dist.get_rank() == 0:
            patience.update(validate(step))
        if patience.over:
            break


def once(steps):
    patience = Patience()
    for _ in range(steps):
        if dist.get_rank() == 0:
            patience.see()
        if patience.seen:
            break
        dist.barrier()  # expect: TL102
