"""All ranks get past the test in the mode in which the callee communicates; in the other mode it does not."""

import torch.distributed as dist


def score(options, outputs):
    if options.sharded:
        dist.all_reduce(outputs)
    return outputs.sum()


def by_attribute(options, outputs):
    if options.sharded or dist.get_rank() == 0:
        print(score(options, outputs))


def by_early_return(options, outputs):
    if not options.sharded and dist.get_rank() != 0:
        return None
    return score(options, outputs)


def by_getattr(options, outputs):
    sharded = getattr(options, "sharded", False)
    if not sharded and dist.get_rank() != 0:
        return None
    return score(options, outputs)


def part(outputs, everywhere):
    if everywhere:
        dist.all_reduce(outputs)
    return outputs.sum()


def by_argument(options, outputs):
    everywhere = options.sharded and options.world > 1
    if everywhere or dist.get_rank() == 0:
        print(part(outputs, everywhere))


def through_two_calls(outputs, everywhere):
    return part(outputs, everywhere=everywhere) / 2


def by_argument_of_argument(options, outputs):
    if not options.sharded and dist.get_rank() != 0:
        return None
    return through_two_calls(outputs, options.sharded)


class Evaluator:
    def __init__(self, sharded):
        self.sharded = sharded

    def run(self, outputs):
        if self.sharded or dist.get_rank() == 0:
            self.score(outputs)

    def score(self, outputs):
        if self.sharded:
            dist.all_reduce(outputs)
        print(outputs.sum())


class Scorer:
    """Asks the same question again and again."""

    def __init__(self, options):
        self.options = options

    def sharded(self):
        return str(self.options.mode).lower() == "sharded"

    def split(self, items):
        if not self.sharded():
            return items, False
        return items[dist.get_rank() :: dist.get_world_size()], True

    def wanted(self, step):
        due = step % 100 == 0
        if not self.sharded():
            due = due and dist.get_rank() == 0
        return due

    def run(self, step, items):
        if not self.wanted(step):
            return None
        return self.score(items)

    def score(self, items):
        own, together = self.split(items)
        if together:
            dist.all_reduce(own)
        return own
