"""A function, a flag that is kept, or something measured decides whether the file is written."""

import os

import torch
import torch.distributed as dist


def wanted(state):
    return state.local_main


def wanted_late(state):
    if state is None:
        return
    late = state.epoch > 3
    return late


def wanted_by_all(state):
    dist.barrier()
    return state.epoch > 3


def wanted_by_a_worker(state):
    number = state.worker
    return number == 0


def told(model, state):
    dist.init_process_group("nccl")
    if wanted(state):
        torch.save(model.state_dict(), "last.pt")


def told_late(model, state):
    dist.init_process_group("nccl")
    if wanted_late(state):
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def told_late_by_comparison(model, state):
    dist.init_process_group("nccl")
    if wanted_late(state) is True:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def told_by_comparison(model, state):
    dist.init_process_group("nccl")
    if wanted(state) is not None:
        torch.save(model.state_dict(), "last.pt")


def told_by_all(model, state):
    dist.init_process_group("nccl")
    if wanted_by_all(state):
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def told_by_a_worker(model, state):
    dist.init_process_group("nccl")
    if wanted_by_a_worker(state):
        torch.save(model.state_dict(), "last.pt")


def told_of_a_worker(model, worker_state):
    dist.init_process_group("nccl")
    if wanted_late(worker_state):
        torch.save(model.state_dict(), "last.pt")


class Loop:
    def __init__(self, args, writer, quick):
        dist.init_process_group("nccl")
        self.keeps = args.keep
        self.always = True
        self.counted = len(args.names)
        self.writer = writer
        self.quick = quick
        self.leads = args.master
        self.picked = pick(args)
        self.asked = args.kinds.find("save")
        self.mine = os.path.exists(f"/tmp/{os.getpid()}")

    def save_kept(self, model):
        if self.keeps:
            torch.save(model.state_dict(), "kept.pt")  # expect: TL112

    def save_always(self, model):
        if self.always:
            torch.save(model.state_dict(), "always.pt")  # expect: TL112

    def save_counted(self, model):
        if self.counted:
            torch.save(model.state_dict(), "counted.pt")  # expect: TL112

    def save_written(self, model):
        if self.writer:
            torch.save(model.state_dict(), "written.pt")

    def save_written_when_there(self, model):
        if self.writer is not None:
            torch.save(model.state_dict(), "written.pt")

    def save_quick(self, model):
        if self.quick:
            torch.save(model.state_dict(), "quick.pt")  # expect: TL112

    def save_led(self, model):
        if self.leads:
            torch.save(model.state_dict(), "led.pt")

    def save_picked(self, model):
        if self.picked:
            torch.save(model.state_dict(), "picked.pt")

    def save_mine(self, model):
        if self.mine:
            torch.save(model.state_dict(), "mine.pt")

    def run(self, model):
        dist.barrier()
        self.save_kept(model)
        self.save_always(model)
        self.save_counted(model)
        self.save_written(model)
        self.save_written_when_there(model)
        self.save_quick(model)
        self.save_led(model)
        self.save_picked(model)
        self.save_mine(model)


def pick(args):
    return args.names.pop() == os.environ["RANK"]


def main(args, model, writer):
    Loop(args, writer, args.quick).run(model)


def measured(model, score, bound):
    if score > bound:
        torch.save(model.state_dict(), "measured.pt")  # expect: TL112


def measures(model, args, scores):
    dist.init_process_group("nccl")
    measured(model, scores[0], args.bound)


def measured_of_one(model, score, bound):
    if score > bound:
        torch.save(model.state_dict(), "measured.pt")


def measures_of_one(model, args, local_scores):
    dist.init_process_group("nccl")
    measured_of_one(model, local_scores[0], args.bound)


def numbered(model, number):
    if number == 0:
        torch.save(model.state_dict(), "numbered.pt")


def numbers(model, args):
    dist.init_process_group("nccl")
    numbered(model, args.node)


def entry_that_is_set(model, config):
    dist.init_process_group("nccl")
    config.leads = dist.get_rank() == 0
    if config.leads:
        torch.save(model.state_dict(), "entry.pt")


def entry_by_a_name(model, config, name):
    dist.init_process_group("nccl")
    if config["saves"][name]:
        torch.save(model.state_dict(), "entry.pt")  # expect: TL112


def entry_by_a_rank(model, config):
    dist.init_process_group("nccl")
    if config["saves"][dist.get_rank()]:
        torch.save(model.state_dict(), "entry.pt")
