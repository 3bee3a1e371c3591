# Each rank adds up a part of its own.
import torch.distributed as dist
def shard(items, rank, world):
    return items[rank::world]
def main():
    flag = sum(shard([1, 2, 3, 4, 5], dist.get_rank(), dist.get_world_size())) > 5
    if flag:
        dist.barrier()
main()
