"""What objects keep by the rank: more than two roles, words of one kind, values set in several methods."""

import torch.distributed as dist


class Roles:
    def __init__(self):
        self.role = "aid"
        if dist.get_rank() == 0:
            self.role = "main"
        elif dist.get_rank() == 1:
            self.role = "deputy"

    def meet(self):
        if self.role == "main":
            dist.barrier()  # expect: TL101


class OneRole:
    def __init__(self, args):
        self.role = "aid"
        if args.lead:
            self.role = "main"

    def meet(self):
        if self.role == "main":
            dist.barrier()


class RolesOfNobody:
    def __init__(self):
        self.role = "aid"
        if dist.get_rank() == 0:
            self.role = "main"

    def meet(self):
        if self.role == "guest":
            dist.barrier()


class Opened:
    def __init__(self):
        self.ready = False

    def open(self):
        if dist.get_rank() == 0:
            self.ready = True

    def meet(self):
        if self.ready:
            dist.barrier()  # expect: TL101


class OpenedByAll:
    def __init__(self):
        self.ready = False

    def open(self):
        self.ready = True

    def meet(self):
        if self.ready:
            dist.barrier()


class OpenedTheSame:
    def __init__(self):
        self.ready = False

    def open(self):
        if dist.get_rank() == 0:
            self.ready = False

    def meet(self):
        if self.ready:
            dist.barrier()


class Placed:
    def __init__(self, args):
        self.place = dist.get_rank() if args.spread else 0

    def meet(self):
        if self.place == 0:
            dist.barrier()  # expect: TL101


class Leveled:
    def __init__(self):
        self.level = 2
        if dist.get_rank() == 0:
            self.level = 5

    def meet(self):
        if self.level > 3:
            dist.barrier()  # expect: TL101


class LeveledAlike:
    def __init__(self):
        self.level = 2
        if dist.get_rank() == 0:
            self.level = 5

    def meet(self):
        if self.level > 1:
            dist.barrier()


def main(args):
    Roles().meet()
    OneRole(args).meet()
    RolesOfNobody().meet()
    opened = Opened()
    opened.open()
    opened.meet()
    by_all = OpenedByAll()
    by_all.open()
    by_all.meet()
    the_same = OpenedTheSame()
    the_same.open()
    the_same.meet()


def second(args):
    Placed(args).meet()
    Leveled().meet()
    LeveledAlike().meet()
