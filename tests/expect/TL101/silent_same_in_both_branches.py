"""Every branch runs the same collective, with other arguments.

axolotl-ai-cloud/axolotl @ 09f154397eee : src/axolotl/utils/callbacks.py:275, :278
"""

import torch.distributed as dist


def gather_predictions(rows):
    if dist.get_rank() == 0:
        everything = [None] * dist.get_world_size()
        dist.gather_object(rows, everything, dst=0)
        return everything
    dist.gather_object(rows, None, dst=0)
    return None


def with_else(rank, rows, size):
    if rank == 0:
        gathered = [None] * size
        dist.gather_object(rows, object_gather_list=gathered, dst=0)
    else:
        gathered = None
        dist.gather_object(rows, dst=0)
    return gathered


def scatter_work(rank, out, parts=None):
    if rank == 0:
        dist.scatter_object_list(out, parts, src=0)
    elif rank == 1:
        print("first helper")
        dist.scatter_object_list(out, None, src=0)
    else:
        dist.scatter_object_list(out, None, src=0)
    return out[0]


def two_helpers(rank, tensor):
    if rank == 0:
        send_weights(tensor)
    else:
        receive_weights(tensor)


def send_weights(tensor):
    print("sending", tensor.shape)
    dist.broadcast(tensor, src=0)
    dist.barrier()


def receive_weights(tensor):
    dist.broadcast(tensor, src=0)
    dist.barrier()
    tensor.div_(dist.get_world_size())


def conditional_expression(rank, tensor, buffers):
    return dist.gather(tensor, buffers, dst=0) if rank == 0 else dist.gather(tensor, dst=0)
