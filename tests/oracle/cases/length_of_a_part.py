# Whether more than one item is in this rank's part.
import torch.distributed as dist

def main():
    files = ["a", "b", "c", "d", "e"]
    mine = files[dist.get_rank()::dist.get_world_size()]
    if len(mine) > 1:
        dist.barrier()

main()
