"""What is called is chosen: by the rank, by a setting, out of a list or dict that stands elsewhere."""

import torch.distributed as dist


def rest():
    print("resting")


def meet():
    dist.barrier()


def meet_twice():
    dist.barrier()
    dist.barrier()


def count(value):
    return dist.all_reduce(value)


STEPS = {0: meet, 1: rest, 2: rest, 3: rest}
SAME = {0: meet, 1: meet, 2: meet, 3: meet}
MODES = {"first": meet, "rest": rest}
ORDER = [meet, rest]
FILLED = {}


def by_an_if():
    (dist.barrier if dist.get_rank() == 0 else rest)()  # expect: TL101


def by_an_if_the_same():
    (meet if dist.get_rank() == 0 else dist.barrier)()


def by_a_setting(args):
    (dist.barrier if args.meets else rest)()


def by_a_name():
    step = meet if dist.get_rank() == 0 else rest
    step()  # expect: TL101


def by_a_name_of_a_setting(args):
    step = meet if args.meets else rest
    step()


def by_none(logger):
    step = dist.barrier if dist.get_rank() == 0 else None
    if step is not None:
        step()  # expect: TL101


def by_an_item():
    [meet, rest][dist.get_rank() > 0]()  # expect: TL101


def by_an_item_the_same():
    [meet, dist.barrier][dist.get_rank() > 0]()


def by_a_fixed_item():
    [meet, rest][0]()


def by_an_entry():
    {True: meet, False: rest}[dist.get_rank() == 0]()  # expect: TL101


def by_an_entry_of_a_setting(args):
    {True: meet, False: rest}[args.meets]()


def by_an_entry_above():
    STEPS[dist.get_rank()]()  # expect: TL101


def by_an_entry_above_the_same():
    SAME[dist.get_rank()]()


def by_a_fixed_entry_above():
    STEPS[0]()


def by_an_entry_of_a_mode():
    MODES["first" if dist.get_rank() == 0 else "rest"]()  # expect: TL101


def by_an_entry_of_a_mode_of_a_setting(args):
    MODES["first" if args.meets else "rest"]()


def by_getting():
    MODES.get("first" if dist.get_rank() == 0 else "other", rest)()  # expect: TL101


def by_getting_the_same():
    MODES.get("first" if dist.get_rank() == 0 else "other", meet)()


def by_getting_something():
    SAME.get(dist.get_rank())()


def by_a_place_above():
    ORDER[min(dist.get_rank(), 1)]()  # expect: TL101


def by_what_was_filled():
    FILLED[dist.get_rank()]()


class First:
    def run(self):
        dist.barrier()


class Rest:
    def run(self):
        print("resting")


class Second:
    def run(self):
        dist.barrier()


def by_an_object():
    worker = First() if dist.get_rank() == 0 else Rest()
    worker.run()  # expect: TL101


def by_an_object_the_same():
    worker = First() if dist.get_rank() == 0 else Second()
    worker.run()


def by_an_object_of_a_setting(args):
    worker = First() if args.meets else Rest()
    worker.run()


def by_a_class():
    kind = First if dist.get_rank() == 0 else Rest
    kind().run()  # expect: TL101


def make():
    if dist.get_rank() == 0:
        return First()
    return Rest()


def by_what_a_function_makes():
    make().run()  # expect: TL101


def nobody():
    return First() if dist.get_rank() == 0 else None


def by_what_may_be_none():
    worker = nobody()
    if worker:
        worker.run()  # expect: TL101
