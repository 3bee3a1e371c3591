# A function without any collective raises on some ranks; the others go on to one.
import torch.distributed as dist


def check(rank):
    if rank == 0:
        raise ValueError("not here")


def main():
    try:
        check(dist.get_rank())
        dist.barrier()
    except ValueError as error:
        print(error)


main()
