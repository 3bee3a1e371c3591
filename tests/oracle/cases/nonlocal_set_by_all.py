# The same on all ranks.
import torch.distributed as dist
def main():
    done = False
    def mark():
        nonlocal done
        done = True
        if dist.get_rank() == 0:
            print("marked")
    mark()
    if not done:
        return
    dist.barrier()
main()
