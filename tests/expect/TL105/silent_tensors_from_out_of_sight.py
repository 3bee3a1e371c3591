"""Correct uses of ``full_tensor``, and methods that only share the name. No finding."""

import torch
import torch.distributed as dist


def exported(model, folder, is_main_process):
    state = {k: v.full_tensor().cpu() if hasattr(v, "full_tensor") else v.cpu() for k, v in model.state_dict().items()}
    if is_main_process:
        torch.save(state, folder)


def norm_for_all(norm):
    if hasattr(norm, "full_tensor"):
        norm = norm.full_tensor()
    if dist.get_rank() == 0:
        print(norm)


def only_the_local_part(parameter):
    if dist.get_rank() == 0:
        print(parameter.to_local().norm())


def one_axis_of_a_mesh(parameter, mesh):
    """Another axis than the one over which the tensor is sharded."""
    if mesh.get_local_rank("dp") == 0:
        return parameter.full_tensor()
    return None


def in_both_arms(parameter, path):
    if dist.get_rank() == 0:
        torch.save(parameter.full_tensor(), path)
    else:
        parameter.full_tensor()


def with_several_processes(parameter):
    if dist.is_initialized():
        return parameter.full_tensor()
    return parameter
