"""Tests that let in one process, or a run with one, before something is put on the current GPU."""

import torch
import torch.distributed as dist


def one_process(net):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        net.cuda()


def every_process(net, config):
    dist.init_process_group("nccl")  # expect: TL110
    if config.compiled:
        net.cuda()


def only_without_several(net, config):
    dist.init_process_group("nccl")
    if not config.distributed:
        net.cuda()


def only_without_several_the_other_way(net, config):
    dist.init_process_group("nccl")
    if config.distributed:
        net.train()
    else:
        net.cuda()


def only_with_several(net, config):
    dist.init_process_group("nccl")  # expect: TL110
    if config.distributed:
        net.cuda()


def with_several_and_more(net, config):
    dist.init_process_group("nccl")  # expect: TL110
    if config.distributed and config.compiled:
        net.cuda()


def one_process_and_more(net, config, rank):
    dist.init_process_group("nccl")
    if rank == 0 and config.compiled:
        net.cuda()


def one_by_a_global_setting(net):
    dist.init_process_group("nccl")
    if IS_MAIN:
        net.cuda()


def all_by_a_global_setting(net):
    dist.init_process_group("nccl")  # expect: TL110
    if IS_TRAINING:
        net.cuda()


def after_a_failure(net, config):
    dist.init_process_group("nccl")
    try:
        net.load(config.weights)
    except RuntimeError:
        net.cuda()


def start_and_use_under_one_test(net, config):
    if config.local_rank != -1:
        dist.init_process_group("nccl")  # expect: TL110
        net.cuda()


def start_under_a_test_use_under_another(net, config):
    if config.gpus:
        dist.init_process_group("nccl")
    if config.gpus == 1:
        net.cuda()


def in_a_function_that_one_calls(net):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        prepare(net)


def in_a_function_that_all_call(net):
    dist.init_process_group("nccl")  # expect: TL110
    prepare(net)


def prepare(net):
    net.eval()
    return net.cuda()


def in_one_that_waits_behind_a_test(net):
    # all the others wait elsewhere: what a barrier meets on is the current GPU all the same
    dist.init_process_group("nccl")  # expect: TL110
    if dist.get_rank() == 0:
        net.prepare_data()
    dist.barrier()


IS_MAIN = torch.cuda.device_count() > 0
IS_TRAINING = True
