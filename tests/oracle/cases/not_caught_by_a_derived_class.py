# A handler of a derived class does not catch the error.
import torch.distributed as dist
class A(Exception): pass
class B(A): pass
def work():
    if dist.get_rank() == 0:
        raise A("x")
    dist.barrier()
def main():
    try:
        work()
    except B:
        dist.barrier()
    except A:
        print("x")
main()
