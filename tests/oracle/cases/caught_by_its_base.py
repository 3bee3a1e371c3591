# An error is caught as one of its base class, and the handler meets the others.
import torch.distributed as dist
class A(Exception): pass
class B(A): pass
def work():
    if dist.get_rank() == 0:
        raise B("x")
    dist.barrier()
def main():
    try:
        work()
    except A:
        dist.barrier()
main()
