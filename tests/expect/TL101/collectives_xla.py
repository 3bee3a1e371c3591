"""torch_xla's collectives, one function each."""

import torch_xla.core.xla_model as xm
from torch_xla.core import xla_model


def rendezvous(step):
    if xm.is_master_ordinal():
        xm.rendezvous(f"step{step}")  # expect: TL101


def all_reduce(grads):
    if xm.is_master_ordinal():
        xm.all_reduce("sum", grads)  # expect: TL101


def mesh_reduce(loss):
    if xla_model.is_master_ordinal():
        loss = xla_model.mesh_reduce("loss", loss, max)  # expect: TL101
    return loss


def broadcast_parameters(model):
    if xm.get_ordinal() == 0:
        xm.broadcast_master_param(model)  # expect: TL101


def gradients(optimizer):
    if xm.is_master_ordinal():
        xm.reduce_gradients(optimizer)  # expect: TL101
