"""An assertion on the local rank says how the job is to be started: no rank leaves by it."""

import os
import socket

import torch.distributed as dist

assert os.environ["LOCAL_RANK"] == "0", "one process on each node"

dist.init_process_group("gloo")
names = [None] * dist.get_world_size()
dist.all_gather_object(names, socket.gethostname())


def of_a_node(tensor, local_rank):
    assert local_rank == 0
    dist.all_reduce(tensor)
