"""Methods, inherited methods, attributes, properties."""

import torch.distributed as dist


class Communicates:
    def __init__(self):
        self._leader = dist.get_rank() == 0

    @property
    def leads(self):
        return self._leader

    def merge(self, stats):
        dist.all_reduce(stats)
        return stats

    def finish(self, stats):
        return self.merge(stats)


class Evaluator(Communicates):
    def evaluate(self, stats):
        if not self.leads:
            return None
        return self.finish(stats)  # expect: TL102

    def evaluate_by_super(self, stats):
        if not self._leader:
            return None
        return super().finish(stats)  # expect: TL102


class Session:
    def __init__(self):
        self.evaluator = Evaluator()

    def close(self, stats):
        if not self.evaluator.leads:
            return
        self.evaluator.merge(stats)  # expect: TL102


def local_object(rank, stats):
    evaluator = Evaluator()
    if rank != 0:
        return
    evaluator.merge(stats)  # expect: TL102
