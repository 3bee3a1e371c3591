"""The device is an object, and it is chosen by a test or not."""

import torch
import torch.distributed as dist


def of_a_text(net):
    dist.init_process_group("nccl")  # expect: TL110
    device = torch.device("cuda")
    return net.to(device)


def of_a_text_with_a_number(net):
    dist.init_process_group("nccl")
    device = torch.device("cuda:1")
    return net.to(device)


def of_a_number(net, gpu):
    dist.init_process_group("nccl")
    device = torch.device("cuda", gpu)
    return net.to(device)


def of_a_number_by_name(net, gpu):
    dist.init_process_group("nccl")
    device = torch.device("cuda", index=gpu)
    return net.to(device)


def of_the_host(net):
    dist.init_process_group("nccl")
    device = torch.device("cpu")
    return net.to(device)


def of_a_setting(net, config):
    dist.init_process_group("nccl")
    return net.to(torch.device(config.device))


def where_there_is_one(net):
    dist.init_process_group("nccl")  # expect: TL110
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return net.to(device)


def where_there_is_one_as_an_object(net):
    dist.init_process_group("nccl")  # expect: TL110
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return net.to(device)


def one_by_a_short_form(net):
    dist.init_process_group("nccl")  # expect: TL110
    device = torch.cuda.is_available() and "cuda" or "cpu"
    return net.to(device)


def perhaps_a_numbered_one(net, config):
    dist.init_process_group("nccl")
    device = "cuda" if config.anywhere else "cuda:1"
    return net.to(device)


def perhaps_another_kind(net, config):
    dist.init_process_group("nccl")
    device = "cuda" if config.nvidia else "xpu"
    return net.to(device)


def perhaps_of_a_setting(net, config):
    dist.init_process_group("nccl")
    device = "cuda" if config.plain else config.device
    return net.to(device)


def made_there():
    dist.init_process_group("nccl")  # expect: TL110
    return torch.zeros(4, device="cuda")


def made_on_the_host():
    dist.init_process_group("nccl")
    return torch.zeros(4, device="cpu")


def made_of_a_type():
    dist.init_process_group("nccl")
    return torch.zeros(4, dtype=torch.float32)


def read_there(path):
    dist.init_process_group("nccl")  # expect: TL110
    return torch.load(path, map_location="cuda", weights_only=True)


def read_on_the_host(path):
    dist.init_process_group("nccl")
    return torch.load(path, map_location="cpu", weights_only=True)
