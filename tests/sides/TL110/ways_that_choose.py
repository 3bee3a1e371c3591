"""Who chooses the GPU: a library's function, a function of the project with a name that says so, a caller, a method."""

import os

import torch
import torch.distributed as dist
import torch.distributed.device_mesh as meshes

from tools import bind_gpu, log_start


def with_a_mesh(net, world):
    dist.init_process_group("nccl")
    meshes.init_device_mesh("cuda", (world,))
    return net.cuda()


def with_a_tool(net, number):
    dist.init_process_group("nccl")
    bind_gpu(number)
    return net.cuda()


def with_another_tool(net, number):
    dist.init_process_group("nccl")  # expect: TL110
    log_start(number)
    return net.cuda()


def setup_gpu(number):
    # the name says so, the function does not
    print("using", number)


def setup_process(number):
    torch.cuda.set_device(number)


def with_a_function_by_name_only(net, number):
    dist.init_process_group("nccl")  # expect: TL110
    setup_gpu(number)
    return net.cuda()


def with_a_function_that_does(net, number):
    dist.init_process_group("nccl")
    setup_process(number)
    return net.cuda()


def with_a_method_of_somebody(net, launcher):
    dist.init_process_group("nccl")
    launcher.choose(net)
    return net.cuda()


class Launcher:
    def choose(self, net):
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        return net

    def describe(self, net):
        return f"{net} on {os.environ['LOCAL_RANK']}"


def with_another_method_of_somebody(net, launcher):
    dist.init_process_group("nccl")  # expect: TL110
    launcher.describe(net)
    return net.cuda()


def deeper(net):
    dist.init_process_group("nccl")
    return first(net)


def first(net):
    second()
    return net.cuda()


def second():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))


def deeper_in_another_order(net):
    dist.init_process_group("nccl")  # expect: TL110
    return use_and_choose(net)


def use_and_choose(net):
    net = net.cuda()
    second()
    return net


def over_and_over(net, rounds):
    dist.init_process_group("nccl")  # expect: TL110
    again(net, rounds)
    return net.cuda()


def again(net, rounds):
    if rounds:
        again(net, rounds - 1)
    return net.eval()


def too_late(net, number):
    dist.init_process_group("nccl")  # expect: TL110
    dist.barrier()
    torch.cuda.set_device(number)
    return net.cuda()
