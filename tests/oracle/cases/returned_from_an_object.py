# A `return` inside of a `with` runs `__exit__`, too: all ranks meet in it.
import torch.distributed as dist


class Closing:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        dist.barrier()


def save():
    with Closing():
        if dist.get_rank() == 0:
            return
        print("the others")


save()
