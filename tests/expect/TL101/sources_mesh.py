"""A coordinate along one axis of a mesh is another one on other ranks: not enough for a collective of all."""

import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def all_but_one_row(tensor):
    mesh = init_device_mesh("cuda", (2, 2), mesh_dim_names=("dp", "tp"))
    if mesh.get_local_rank("dp") == 0:
        dist.all_reduce(tensor)  # expect: TL101


def one_rank_of_the_mesh(tensor):
    mesh = init_device_mesh("cuda", (4,))
    if mesh.get_rank() == 0:
        dist.barrier()  # expect: TL101


def one_row(tensor):
    mesh = init_device_mesh("cuda", (2, 2))
    if mesh.get_coordinate()[0] == 0:
        dist.barrier()  # expect: TL101


def size_of_the_mesh(tensor):
    mesh = init_device_mesh("cuda", (2, 2))
    if mesh.size() > 1 and mesh.ndim == 2:
        dist.barrier()
