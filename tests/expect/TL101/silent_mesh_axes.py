"""A test on one axis of a mesh, with traffic along another: everybody who meets there comes."""

import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def along_the_other_axis(tensor):
    mesh = init_device_mesh("cuda", (2, 2), mesh_dim_names=("dp", "tp"))
    if mesh.get_local_rank("dp") == 0:
        dist.all_reduce(tensor, group=mesh.get_group("tp"))


def along_the_other_axis_by_item(tensor, mesh):
    if mesh["dp"].get_local_rank() == 0:
        dist.broadcast(tensor, 0, group=mesh["tp"].get_group())


def by_coordinate(tensor, mesh):
    row = mesh.get_coordinate()[0]
    if row == 0:
        dist.all_reduce(tensor, group=mesh.get_group(1))


def by_stage(tensor, mesh):
    group = mesh.get_group("pp")
    if dist.get_rank(group) == dist.get_world_size(group) - 1:
        dist.all_reduce(tensor, group=mesh.get_group("dp"))
