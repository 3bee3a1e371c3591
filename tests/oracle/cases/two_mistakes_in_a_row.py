# Two functions in which ranks part do not make each other good.
import torch.distributed as dist
def one():
    if dist.get_rank() == 0:
        dist.barrier()
    dist.barrier()
def nested():
    for epoch in range(2):
        for step in range(3):
            if step > dist.get_rank():
                break
            dist.broadcast_object_list([1])
def main():
    one()
    nested()
main()
