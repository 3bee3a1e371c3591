"""What is called was chosen in another function, or kept in an object: known of all ranks, or of some, or of none."""

import torch.distributed as dist


def meet():
    dist.barrier()


def rest():
    print("resting")


TWO = [meet, rest]
KEYS = {0: meet, 1: meet}
SHORT = {"first": rest}


def too_few_items():
    [meet, rest][dist.get_rank()]()


def too_few_entries():
    KEYS[dist.get_rank()]()


def unknown_entry(place):
    KEYS[place(dist.get_rank())]()


def entry_or_meeting():
    SHORT.get("first" if dist.get_rank() == 0 else "rest", meet)()  # expect: TL101


def entry_or_rest():
    SHORT.get("first" if dist.get_rank() == 0 else "rest", rest)()


def made(steps):
    return dict(steps)


def of_what_was_made(steps):
    made(steps)[dist.get_rank()]()


class Keeps:
    def __init__(self, args):
        self.same = meet if dist.get_rank() == 0 else dist.barrier
        self.told = meet if args.meets else rest
        self.steps = {True: meet, False: rest}
        self.other = {True: meet, False: meet}

    def run_the_same(self):
        self.same()

    def run_as_told(self):
        self.told()

    def run_by_key(self):
        self.steps[dist.get_rank() == 0]()  # expect: TL101

    def run_the_other_by_key(self):
        self.other[dist.get_rank() == 0]()

    def run_by_getting(self):
        self.steps.get(dist.get_rank() == 0, rest)()  # expect: TL101


class Writer:
    def close(self):
        dist.barrier()


class Silent:
    def close(self):
        print("nothing to close")


class Shared:
    def close(self):
        dist.barrier()


def writer_of(rank):
    if rank == 0:
        return Writer()
    return Silent()


def shared_of(rank):
    if rank == 0:
        return Writer()
    return Shared()


def writer_or_other(rank, make):
    if rank == 0:
        return Writer()
    return make()


def closes():
    writer_of(dist.get_rank()).close()  # expect: TL101


def closes_shared():
    shared_of(dist.get_rank()).close()


def closes_one_of_them():
    writer = writer_of(dist.get_rank())
    print("closing")
    writer.close()  # expect: TL101


class Holder:
    def __init__(self):
        self.writer = Writer() if dist.get_rank() == 0 else Silent()
        self.shared = Writer() if dist.get_rank() == 0 else Shared()
        self.maybe = Writer() if dist.get_rank() == 0 else None

    def finish(self):
        self.writer.close()  # expect: TL101

    def finish_shared(self):
        self.shared.close()

    def finish_maybe(self):
        if self.maybe is not None:
            self.maybe.close()  # expect: TL101


def run_it(step):
    step()


def hands_over_the_same():
    run_it(meet if dist.get_rank() == 0 else dist.barrier)


def with_an_object(args):
    keeps = Keeps(args)
    keeps.run_the_same()
    keeps.run_as_told()
    keeps.run_by_key()
    keeps.run_the_other_by_key()
    keeps.run_by_getting()
    holder = Holder()
    holder.finish()
    holder.finish_shared()
    holder.finish_maybe()
