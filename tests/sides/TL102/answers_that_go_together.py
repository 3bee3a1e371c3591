"""Two tests of one thing: whether both can hold, and what an assertion or an earlier exit has said of it."""

import torch.distributed as dist


def the_same_twice(mode, model):
    if mode == "train" and dist.get_rank() == 0:
        print("training")
    if mode == "train":
        dist.barrier()


def one_then_the_other(mode):
    if mode == "train":
        if dist.get_rank() == 0:
            return
    if mode == "test":
        dist.barrier()


def one_then_the_same(mode):
    if mode == "train":
        if dist.get_rank() == 0:
            return
    if mode == "train":
        dist.barrier()  # expect: TL102


def above_then_below(count):
    if count > 2:
        if dist.get_rank() == 0:
            return
    if count < 1:
        dist.barrier()


def above_then_above(count):
    if count > 2:
        if dist.get_rank() == 0:
            return
    if count > 1:
        dist.barrier()  # expect: TL102


def above_then_at(count):
    if count > 2:
        if dist.get_rank() == 0:
            return
    if count == 2:
        dist.barrier()


def constant_on_the_left(count):
    if 2 < count:
        if dist.get_rank() == 0:
            return
    if 1 > count:
        dist.barrier()


def constant_on_the_left_together(count):
    if 2 < count:
        if dist.get_rank() == 0:
            return
    if 5 > count:
        dist.barrier()  # expect: TL102


def of_other_things(count, number):
    if count > 2:
        if dist.get_rank() == 0:
            return
    if number < 1:
        dist.barrier()  # expect: TL102


def true_then_false(args):
    if args.short:
        if dist.get_rank() == 0:
            return
    if not args.short:
        dist.barrier()


def true_then_a_text(name):
    if name:
        if dist.get_rank() == 0:
            return
    if name == "all":
        dist.barrier()  # expect: TL102


def empty_then_a_text(name):
    if not name:
        if dist.get_rank() == 0:
            return
    if name == "all":
        dist.barrier()


def none_then_none(count):
    if count is None:
        if dist.get_rank() == 0:
            return
    if count is None:
        dist.barrier()  # expect: TL102


def none_then_another(count):
    if count is None:
        if dist.get_rank() == 0:
            return
    if count != 3:
        dist.barrier()  # expect: TL102


def something_then_a_number(count):
    if count is not None:
        if dist.get_rank() == 0:
            return
    if count == 3:
        dist.barrier()  # expect: TL102


def denied(mode):
    if mode != "train":
        if dist.get_rank() == 0:
            return
        assert mode == "train"
        dist.barrier()


def confirmed(mode):
    if mode != "train":
        if dist.get_rank() == 0:
            return
        assert mode != "train"
        dist.barrier()  # expect: TL102


def denied_by_not(mode):
    if mode != "train":
        if dist.get_rank() == 0:
            return
        assert not mode != "train"
        dist.barrier()


def confirmed_by_not(mode):
    if mode != "train":
        if dist.get_rank() == 0:
            return
        assert not mode == "train"
        dist.barrier()  # expect: TL102


def denied_of_another(mode, kind):
    if mode != "train":
        if dist.get_rank() == 0:
            return
        assert kind == "train"
        dist.barrier()  # expect: TL102


def denied_flag(args):
    if not args.short:
        if dist.get_rank() == 0:
            return
        assert args.short
        dist.barrier()


def confirmed_flag(args):
    if not args.short:
        if dist.get_rank() == 0:
            return
        assert not args.short
        dist.barrier()  # expect: TL102


def denied_order(count):
    if count > 3:
        if dist.get_rank() == 0:
            return
        assert count <= 3
        dist.barrier()


def confirmed_order(count):
    if count > 3:
        if dist.get_rank() == 0:
            return
        assert count > 3
        dist.barrier()  # expect: TL102


def denied_in_the_else(mode):
    if mode == "train":
        print("training")
    else:
        if dist.get_rank() == 0:
            return
        assert mode == "train"
        dist.barrier()


def left_otherwise(mode):
    if mode != "train":
        return
    if mode == "test":
        if dist.get_rank() == 0:
            return
    dist.barrier()


def in_both_ways(mode):
    if mode == "train":
        if dist.get_rank() == 0:
            return
    elif mode == "test":
        if dist.get_rank() == 1:
            return
    dist.barrier()  # expect: TL102
