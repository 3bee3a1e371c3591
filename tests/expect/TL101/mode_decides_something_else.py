"""Another condition lets ranks past the test than the one under which the callee communicates."""

import torch.distributed as dist


def score(options, outputs):
    if options.sharded:
        dist.all_reduce(outputs)
    return outputs.sum()


def another_flag(options, outputs):
    if options.verbose or dist.get_rank() == 0:
        print(score(options, outputs))  # expect: TL101


def another_object(options, others, outputs):
    if options.sharded or dist.get_rank() == 0:
        print(score(others, outputs))  # expect: TL101


def the_wrong_way_round(options, outputs):
    if not options.sharded or dist.get_rank() == 0:
        print(score(options, outputs))  # expect: TL101


def part(outputs, everywhere):
    if everywhere:
        dist.all_reduce(outputs)
    return outputs.sum()


def another_argument(options, outputs):
    if options.sharded or dist.get_rank() == 0:
        print(part(outputs, everywhere=options.averaged))  # expect: TL101


def always_in_the_callee(options, outputs):
    if options.sharded or dist.get_rank() == 0:
        print(part(outputs, everywhere=True))  # expect: TL101


def a_rank_from_getattr(options, outputs):
    if getattr(options, "local_rank", 0) == 0:
        dist.all_reduce(outputs)  # expect: TL101


def after_everything_else(options, outputs):
    if options.sharded or dist.get_rank() == 0:
        print(score(options, outputs))
    if dist.get_rank() == 0:
        print(score(options, outputs))  # expect: TL101
