import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def work(local, node, per_node):
    dist.init_process_group("nccl", rank=node * per_node + local, world_size=2 * per_node)
    torch.cuda.set_device(local)


if __name__ == "__main__":
    count = torch.cuda.device_count()
    mp.spawn(work, args=(int(os.environ["SLURM_PROCID"]), count), nprocs=count)
