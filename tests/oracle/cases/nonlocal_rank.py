# A nested function finds out which rank this is.
import torch.distributed as dist
def main():
    main_rank = None
    def init():
        nonlocal main_rank
        main_rank = dist.get_rank() == 0
    init()
    if main_rank:
        dist.barrier()
main()
