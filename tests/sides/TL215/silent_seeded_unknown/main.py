import torch.distributed as dist
from files import mine
from torch.nn.parallel import DistributedDataParallel


def main(net, names, tools):
    dist.init_process_group("nccl")
    model = DistributedDataParallel(net)
    tools.seed_all(3)
    return model, mine(names)
