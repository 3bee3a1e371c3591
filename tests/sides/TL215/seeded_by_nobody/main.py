import torch.distributed as dist
from files import mine
from torch.nn.parallel import DistributedDataParallel


def seed_of(names):
    return len(names)


def main(net, names):
    dist.init_process_group("nccl")
    model = DistributedDataParallel(net)
    print(seed_of(names))
    return model, mine(names)
