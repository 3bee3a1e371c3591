"""What an object keeps under a name, and how long it is when a loop goes over it."""

import torch.distributed as dist
from transformers import Trainer


class Part:
    def __init__(self, files):
        self.files = files[dist.get_rank() :: dist.get_world_size()]

    def run(self, out):
        for file in self.files:  # expect: TL109
            dist.all_gather_object(out, file)


class Added:
    """Another method puts more into the list."""

    def __init__(self, files):
        self.files = files[dist.get_rank() :: dist.get_world_size()]

    def add(self, file):
        self.files.append(file)

    def run(self, out):
        for file in self.files:
            dist.all_gather_object(out, file)


class AddedElsewhere:
    """Another method puts more into another list."""

    def __init__(self, files):
        self.files = files[dist.get_rank() :: dist.get_world_size()]
        self.failed = []

    def fail(self, file):
        self.failed.append(file)

    def run(self, out):
        for file in self.files:  # expect: TL109
            dist.all_gather_object(out, file)


class AddedToAnotherObject:
    def __init__(self, files, queue):
        self.files = files[dist.get_rank() :: dist.get_world_size()]
        self.queue = queue

    def push(self, file):
        self.queue.files.append(file)

    def run(self, out):
        for file in self.files:  # expect: TL109
            dist.all_gather_object(out, file)


class Filtered:
    """The list is made anew from itself."""

    def __init__(self, files):
        self.files = files[dist.get_rank() :: dist.get_world_size()]

    def keep(self, names):
        self.files = [file for file in self.files if file in names] + self.files[:3]

    def run(self, out):
        for file in self.files:
            dist.all_gather_object(out, file)


class FilteredFromAnother:
    def __init__(self, files):
        self.all_files = files
        self.files = self.all_files[dist.get_rank() :: dist.get_world_size()]

    def run(self, out):
        for file in self.files:  # expect: TL109
            dist.all_gather_object(out, file)


class Later:
    """Nothing at first."""

    def __init__(self):
        self.files = None

    def open(self, files):
        self.files = files[dist.get_rank() :: dist.get_world_size()]

    def run(self, out):
        for file in self.files:  # expect: TL109
            dist.all_gather_object(out, file)


class Replaced:
    """First all, then the part of that."""

    def __init__(self, files):
        self.files = files
        self.files = files[dist.get_rank() :: dist.get_world_size()]

    def run(self, out):
        for file in self.files:  # expect: TL109
            dist.all_gather_object(out, file)


class All:
    def __init__(self, files):
        self.rank = dist.get_rank()
        self.files = sorted(files)

    def run(self, out):
        for file in self.files:
            dist.all_gather_object(out, (self.rank, file))


class Nothing:
    def __init__(self):
        self.files = None

    def run(self, out):
        for file in self.files:
            dist.all_gather_object(out, file)


class Inherited(Part):
    def run_all(self, out):
        for file in self.files:  # expect: TL109
            dist.all_gather_object(out, file)


class OwnTrainer(Trainer):
    """What a library's trainer keeps under a name nobody here sees."""

    def each(self, out):
        for number in range(dist.get_rank(), self.steps, dist.get_world_size()):
            dist.all_gather_object(out, number)


class OwnRunner:
    """Here it is an argument."""

    def __init__(self, steps):
        self.steps = steps

    def each(self, out):
        for number in range(dist.get_rank(), self.steps, dist.get_world_size()):  # expect: TL109
            dist.all_gather_object(out, number)


class Planned(make_base()):  # noqa: F821
    """What the base sets is out of sight."""

    def each(self, out):
        for number in range(dist.get_rank(), self.steps, dist.get_world_size()):
            dist.all_gather_object(out, number)


def outer(files, out):
    mine = files[dist.get_rank() :: dist.get_world_size()]

    def run():
        for file in mine:  # expect: TL109
            dist.all_gather_object(out, file)

    return run


def outer_with_a_comprehension(files, out):
    rank, world = dist.get_rank(), dist.get_world_size()
    mine = [file for i, file in enumerate(files) if i % world == rank]

    def run():
        for file in mine:  # expect: TL109
            dist.all_gather_object(out, file)

    return run


def outer_of_all(files, out):
    mine = [file.strip() for file in files]

    def run():
        for file in mine:
            dist.all_gather_object(out, file)

    return run


def main(files, out, names, queue):
    Part(files).run(out)
    added = Added(files)
    added.add("more")
    added.run(out)
    AddedElsewhere(files).run(out)
    AddedToAnotherObject(files, queue).run(out)
    filtered = Filtered(files)
    filtered.keep(names)
    filtered.run(out)
    FilteredFromAnother(files).run(out)
    later = Later()
    later.open(files)
    later.run(out)
    Replaced(files).run(out)
    All(files).run(out)
    Nothing().run(out)
    Inherited(files).run_all(out)
    OwnRunner(1001).each(out)
