# The error of rank 0 is caught by the second handler.
import torch.distributed as dist
def main():
    try:
        if dist.get_rank() == 0:
            raise KeyError("x")
        dist.barrier()
    except ValueError:
        dist.barrier()
    except KeyError:
        print("x")
main()
