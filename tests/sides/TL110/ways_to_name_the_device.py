"""What comes right behind the start: each puts something on the current GPU, or names another device."""

import os

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader

import deepspeed


def asks_for_the_current_one():
    dist.init_process_group("nccl")  # expect: TL110
    torch.cuda.synchronize()


def asks_for_a_numbered_one(gpu):
    dist.init_process_group("nccl")
    torch.cuda.synchronize(gpu)


def asks_for_a_numbered_one_by_name(gpu):
    dist.init_process_group("nccl")
    torch.cuda.synchronize(device=gpu)


def loader_pins(data):
    dist.init_process_group("nccl")  # expect: TL110
    return DataLoader(data, batch_size=8, pin_memory=True)


def loader_does_not_pin(data):
    dist.init_process_group("nccl")
    return DataLoader(data, batch_size=8, pin_memory=False)


def loader_pins_perhaps(data, options):
    dist.init_process_group("nccl")
    return DataLoader(data, batch_size=8, pin_memory=options.pin)


def tensor_pins(batch):
    dist.init_process_group("nccl")  # expect: TL110
    return batch.pin_memory()


def tensor_pins_for_one(batch, gpu):
    dist.init_process_group("nccl")
    return batch.pin_memory(gpu)


def tensor_pins_for_one_by_name(batch, gpu):
    dist.init_process_group("nccl")
    return batch.pin_memory(device=gpu)


def moved(net):
    dist.init_process_group("nccl")  # expect: TL110
    return net.cuda()


def moved_to_one(net, gpu):
    dist.init_process_group("nccl")
    return net.cuda(gpu)


def moved_to_one_by_name(net, gpu):
    dist.init_process_group("nccl")
    return net.cuda(device=gpu)


def moved_without_a_number(net):
    dist.init_process_group("nccl")  # expect: TL110
    return net.to("cuda")


def moved_with_the_type(net):
    dist.init_process_group("nccl")
    return net.to(torch.bfloat16)


def waits():
    dist.init_process_group("nccl")  # expect: TL110
    dist.barrier()


def waits_with_a_number(gpu):
    dist.init_process_group("nccl")
    dist.barrier(device_ids=[gpu])


def waits_as_a_group_of_one_gpu(gpu):
    # the group itself knows the GPU
    dist.init_process_group("nccl", device_id=torch.device("cuda", gpu))
    dist.barrier()


def moved_although_the_group_knows_one(net, gpu):
    # device_id= does not change the current GPU
    dist.init_process_group("nccl", device_id=torch.device("cuda", gpu))  # expect: TL110
    return net.cuda()


def waits_whatever_the_group():
    dist.init_process_group()
    dist.barrier()


def moved_whatever_the_group(net):
    dist.init_process_group()  # expect: TL110
    return net.cuda()


def engine_waits():
    deepspeed.init_distributed()  # expect: TL110
    dist.barrier()


def engine_of_hosts_waits():
    deepspeed.init_distributed("gloo")
    dist.barrier()


def shows_itself_one(net):
    dist.init_process_group("nccl")
    os.environ["CUDA_VISIBLE_DEVICES"] = os.environ["LOCAL_RANK"]
    return net.cuda()


def shows_itself_one_by_a_method(net):
    dist.init_process_group("nccl")
    os.environ.update({"CUDA_VISIBLE_DEVICES": os.environ["LOCAL_RANK"]})
    return net.cuda()


def shows_itself_something_else(net):
    dist.init_process_group("nccl")  # expect: TL110
    os.environ.update({"NCCL_DEBUG": "INFO"})
    return net.cuda()
