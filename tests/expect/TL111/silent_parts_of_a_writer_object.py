"""Parts that an object writes, merged behind a barrier, wherever that stands, or never read by another rank."""

import json

import torch.distributed as dist


class Transcripts:
    def __init__(self, settings):
        self.settings = settings
        self.lines = None

    def __enter__(self):
        self.lines = self.part("lines.txt")
        return self

    def __exit__(self, *error):
        self.lines.close()

    def part(self, name):
        if dist.get_world_size() > 1:
            name = f"{name}.{dist.get_rank()}"
        return open(name, "w")

    def put_together(self):
        dist.barrier()
        if dist.get_rank() == 0:
            self.append("lines.txt")
        dist.barrier()

    def append(self, name):
        with open(name, "a") as whole:
            for other in range(dist.get_world_size()):
                with open(f"{name}.{other}") as lines:
                    whole.writelines(lines)


def transcribe(settings, batches):
    dist.init_process_group("nccl")
    with Transcripts(settings) as transcripts:
        for batch in batches:
            print(batch, file=transcripts.lines)
        transcripts.put_together()


def met_in_a_helper(settings, batches):
    """The number of batches is added up over all ranks before the parts are read."""
    dist.init_process_group("nccl")
    with Transcripts(settings) as transcripts:
        for batch in batches:
            print(batch, file=transcripts.lines)
        counted(batches)
        if dist.get_rank() == 0:
            transcripts.append("lines.txt")


def counted(batches):
    totals = [None] * dist.get_world_size()
    dist.all_gather_object(totals, len(batches))
    return sum(totals)


class Answers:
    def __init__(self, folder):
        self.folder = folder

    def store(self, rows):
        with open(f"{self.folder}/answers_{dist.get_rank()}.json", "w") as file:
            json.dump(rows, file)

    def own(self):
        with open(f"{self.folder}/answers_{dist.get_rank()}.json") as file:
            return json.load(file)

    def gathered(self, size):
        rows = []
        for number in range(size):
            with open(f"{self.folder}/answers_{number}.json") as file:
                rows += json.load(file)
        return rows


def evaluate(folder, rows):
    """Only what this rank has written itself is read again; the others' in another program, when all are done."""
    dist.init_process_group("nccl")
    answers = Answers(folder)
    answers.store(rows)
    return answers.own()


def waits_by_decorator(folder, rows):
    dist.init_process_group("nccl")
    answers = Answers(folder)
    answers.store(rows)
    return read_when_all_are_there(answers)


def after_all(function):
    def waiting(*given):
        dist.barrier()
        return function(*given)

    return waiting


@after_all
def read_when_all_are_there(answers):
    return answers.gathered(dist.get_world_size())
