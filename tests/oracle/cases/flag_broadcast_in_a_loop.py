# A flag that a rank sets is broadcast before it ends the loop.
import torch
import torch.distributed as dist
def main():
    stop = False
    for i in range(4):
        if stop:
            break
        dist.barrier()
        flag = [False]
        if dist.get_rank() == 1:
            flag = [i == 2]
        dist.broadcast_object_list(flag, src=1)
        stop = flag[0]
main()
