"""The start stands in a function of its own: what comes before and behind is what its callers do."""

import os

import torch
import torch.distributed as dist


def join_plainly():
    dist.init_process_group("nccl")  # expect: TL110


def uses_it_plainly(net):
    join_plainly()
    return net.cuda()


def join_late():
    dist.init_process_group("nccl")


def chooses_before(net, number):
    torch.cuda.set_device(number)
    join_late()
    return net.cuda()


def join_somewhere():
    dist.init_process_group("nccl")  # expect: TL110


def one_chooses_before(net, number):
    torch.cuda.set_device(number)
    join_somewhere()
    return net.cuda()


def another_does_not(net):
    join_somewhere()
    return net.cuda()


def join_shown():
    dist.init_process_group("nccl")


def shows_one(net):
    os.environ["CUDA_VISIBLE_DEVICES"] = os.environ["LOCAL_RANK"]
    join_shown()
    return net.cuda()


def join_and_wait():
    dist.init_process_group("nccl")
    dist.barrier()


def chose_far_above(net, number):
    torch.cuda.set_device(number)
    start_far_below(net)


def start_far_below(net):
    join_and_wait()
    return net.cuda()


def join_and_meet():
    dist.init_process_group("nccl")  # expect: TL110
    dist.barrier()


def started_by_nobody_who_chose(net):
    join_and_meet()
    return net


class Runner:
    def begin(self):
        dist.init_process_group("nccl")  # expect: TL110

    def use(self, net):
        self.begin()
        return net.cuda()


class Careful:
    def begin_carefully(self):
        dist.init_process_group("nccl")


def careful(runner, net, number):
    torch.cuda.set_device(number)
    runner.begin_carefully()
    return net.cuda()


class Careless:
    def begin_carelessly(self):
        dist.init_process_group("nccl")  # expect: TL110


def careless(runner, net):
    runner.begin_carelessly()
    return net.cuda()
