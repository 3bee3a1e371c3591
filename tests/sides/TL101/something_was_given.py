"""Whether something was given at all is the same on all ranks, unless the rank decides it; a test and its opposite fit together."""

import torch.distributed as dist


def resumed_on_both_sides(args):
    if dist.get_rank() == 0:
        if args.resume is None:
            dist.barrier()
    else:
        if args.resume is not None:
            return
        dist.barrier()


def resumed_on_one_side(args):
    if dist.get_rank() == 0:
        if args.resume is None:
            dist.barrier()  # expect: TL101
    else:
        if args.resume is None:
            return
        dist.barrier()  # expect: TL101


def by_equality(args):
    if dist.get_rank() == 0:
        if args.resume == None:  # noqa: E711
            dist.barrier()
    elif not args.resume != None:  # noqa: E711
        dist.barrier()


def other_settings(args):
    if dist.get_rank() == 0:
        if args.resume is None:
            dist.barrier()  # expect: TL101
    elif args.start is None:
        dist.barrier()  # expect: TL101


def default_that_is_a_text(args):
    if dist.get_rank() == 0:
        mode = args.mode if args.mode is not None else "plain"
        if mode == "shared":
            dist.barrier()
    elif args.mode == "shared":
        dist.barrier()


def default_that_is_another_setting(args):
    mode = args.mode if args.mode is not None else args.usual
    if mode == "shared":
        dist.barrier()


def first_or_no_rank(args):
    leader = dist.get_rank() if args.leader is not None else 0
    if leader == 1:
        dist.barrier()  # expect: TL101


def is_first(args):
    return dist.get_rank() == 0


def told_by_a_helper(args):
    speaks = is_first(args.leader) if args.leader is not None else True
    if speaks:
        dist.barrier()  # expect: TL101


def told_by_a_helper_turned(args):
    speaks = True if args.leader is None else is_first(args.leader)
    if speaks:
        dist.barrier()  # expect: TL101


def model_or_none(model):
    kept = model if dist.get_rank() == 0 else None
    if kept is None:
        dist.barrier()  # expect: TL101


def model_or_none_on_all(model, args):
    kept = model if args.keep else None
    if kept is None:
        dist.barrier()


def save(path, writer=None):
    if writer is None:
        dist.barrier()


def hands_one_over(args):
    if dist.get_rank() == 0:
        save(args.path, args.writer())


def hands_none_over(args):
    if dist.get_rank() == 0:
        save(args.path)  # expect: TL101


def hands_over_what_it_was_given(args, writer=None):
    if dist.get_rank() == 0:
        save(args.path, writer)  # expect: TL101


def hands_over_by_keyword(args):
    if dist.get_rank() == 0:
        save(args.path, writer=args.writer)


def wrapped(model):
    inner = model.module
    if inner is not model:
        dist.barrier()


def own_function_or_text(loss="mse"):
    if is_first == "mse":
        dist.barrier()
    if is_first != "mse" and dist.get_rank() == 0:
        dist.barrier()  # expect: TL101
