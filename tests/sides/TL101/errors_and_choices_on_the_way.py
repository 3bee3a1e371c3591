"""Behind the test on the rank something else is asked, and some ways end in an error or leave the function."""

import torch.distributed as dist


def may_fail_on_one(args):
    if dist.get_rank() == 0:
        if args.bad:
            raise ValueError("bad")
        dist.barrier()
    else:
        dist.barrier()


def may_fail_on_one_and_is_alone(args):
    if dist.get_rank() == 0:
        if args.bad:
            raise ValueError("bad")
        dist.barrier()  # expect: TL101


def may_fail_on_the_others(args):
    if dist.get_rank() == 0:
        dist.barrier()
    else:
        if args.bad:
            raise ValueError("bad")
        dist.barrier()


def fails_on_the_others():
    if dist.get_rank() == 0:
        print("going on")
    else:
        raise ValueError("one process only")
    dist.barrier()  # expect: TL102


def may_leave_on_one(args):
    if dist.get_rank() == 0:
        if args.bad:
            return
        print("going on")
    dist.barrier()  # expect: TL102


def may_leave_on_all(args):
    if dist.get_rank() == 0:
        print("going on")
    if args.bad:
        return
    dist.barrier()


def meets_by_a_setting_on_both_sides(args):
    if dist.get_rank() == 0:
        if args.wait:
            dist.barrier()
    elif args.wait:
        dist.barrier()


def meets_by_a_setting_on_one_side(args):
    if dist.get_rank() == 0:
        if args.wait:
            dist.barrier()  # expect: TL101
    elif args.report:
        print("resting")


def meets_by_the_contrary_on_the_other_side(args):
    if dist.get_rank() == 0:
        if args.wait:
            dist.barrier()  # expect: TL101
    elif not args.wait:
        dist.barrier()  # expect: TL101


def meets_unless_on_both_sides(args):
    if dist.get_rank() == 0:
        if not args.skip:
            dist.barrier()
    else:
        if args.skip:
            return
        dist.barrier()


def meets_by_a_number_on_both_sides(epoch):
    if dist.get_rank() == 0:
        if epoch > 3:
            dist.barrier()
    elif not epoch <= 3:
        dist.barrier()


def meets_by_another_number(epoch):
    if dist.get_rank() == 0:
        if epoch > 3:
            dist.barrier()
    elif epoch >= 4:
        dist.barrier()


def meets_by_two_settings(args):
    if args.wait:
        if dist.get_rank() == 0:
            dist.barrier()  # expect: TL101
    elif dist.get_rank() == 0:
        print("not waiting")


def meets_first_and_once_more(args):
    if dist.get_rank() == 0:
        dist.barrier()
        if args.again:
            dist.barrier()
    else:
        dist.barrier()
        if args.again:
            dist.barrier()


def meets_once_more_on_one(args):
    if dist.get_rank() == 0:
        dist.barrier()
        if args.again:
            dist.barrier()  # expect: TL101
    else:
        dist.barrier()


def other_collectives(tensor):
    if dist.get_rank() == 0:
        dist.broadcast(tensor, 0)
    else:
        dist.broadcast(tensor, 0)
    dist.barrier()


def the_same_rounds(tensor, rounds):
    if dist.get_rank() == 0:
        for _ in range(rounds):
            dist.all_reduce(tensor)
    else:
        for _ in range(rounds):
            dist.all_reduce(tensor)


def rounds_on_one(tensor, rounds):
    if dist.get_rank() == 0:
        for _ in range(rounds):
            dist.all_reduce(tensor)  # expect: TL101
    dist.barrier()


def assertion_on_all(args):
    assert args.ready
    if dist.get_rank() == 0:
        dist.barrier()  # expect: TL101


def assertion_on_one(args):
    if dist.get_rank() == 0:
        assert args.ready
    dist.barrier()
