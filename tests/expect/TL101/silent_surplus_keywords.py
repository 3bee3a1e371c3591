"""A callee communicates only for a keyword that this caller does not pass: what `**kwargs` holds is known in each call."""

import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def load(path, **kwargs):
    mesh_shape = kwargs.pop("mesh_shape", None)
    weights = read(path)
    if mesh_shape is not None:
        init_device_mesh("cuda", mesh_shape)
    if kwargs.get("sync"):
        dist.barrier()
    if "share" in kwargs:
        dist.broadcast_object_list([weights], src=0)
    return weights


def load_any(path, **options):
    return load(path, **options)


def export(path):
    if dist.get_rank() == 0:
        print(load(path, dtype="float16"))
        print(load_any(path, dtype="float16"))


def read(path):
    return path.read_bytes()
