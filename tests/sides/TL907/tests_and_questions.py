"""A GPU by its number in every process of a group, or where a test or a question makes it fine."""

import torch
import torch.distributed as dist


def start():
    dist.init_process_group("nccl")


def begin():
    dist.init_process_group("nccl")


def moved(net):
    start()
    return net.to("cuda:0")  # expect: TL907


def moved_anywhere(net, rank):
    start()
    return net.to(f"cuda:{rank}")


def moved_to_the_current(net):
    start()
    return net.to("cuda")


def moved_to_the_host(net):
    start()
    return net.to("cpu:0")


def moved_to_a_number(net):
    # not a name of one: nothing is said of numbers
    start()
    return net.to(0)


def one_only(net, rank):
    start()
    if rank == 0:
        return net.to("cuda:0")
    return net


def where_all_do(net, config):
    start()
    if config.compiled:
        return net.to("cuda:0")  # expect: TL907
    return net


def where_the_device_is_asked_for(net, config):
    start()
    if config.device is None:
        return net.to("cuda:0")
    return net.to(config.device)


def where_the_processor_is_asked_for(net, config):
    start()
    if not config.cpu:
        return net.to("cuda:0")
    return net


def where_something_failed(net, config):
    begin()
    try:
        return net.to(config.gpu)
    except RuntimeError:
        return net.to("cuda:0")


def asked_for_its_name():
    begin()
    return torch.cuda.get_device_name(torch.device("cuda:0"))


def asked_for_its_memory():
    begin()
    return torch.cuda.mem_get_info(torch.device("cuda:0"))


def used_and_asked(net):
    begin()
    device = torch.device("cuda:0")  # expect: TL907
    return net.to(device)


def made_there():
    begin()
    return torch.zeros(4, device="cuda:1")  # expect: TL907


def made_of_a_type():
    begin()
    return torch.zeros(4, dtype=torch.float16)


def read_there(path):
    begin()
    return torch.load(path, map_location="cuda:0", weights_only=True)  # expect: TL907


def moved_by_its_method(net):
    begin()
    return net.cuda("cuda:2")  # expect: TL907


def twice(net, head):
    begin()
    net = net.to("cuda:0")  # expect: TL907
    return net, head.to("cuda:0")


def without_a_group(net):
    return net.to("cuda:0")
