# The second handler meets the others.
import torch.distributed as dist
def main():
    try:
        if dist.get_rank() == 0:
            raise KeyError("x")
        dist.barrier()
    except ValueError:
        print("x")
    except KeyError:
        dist.barrier()
main()
