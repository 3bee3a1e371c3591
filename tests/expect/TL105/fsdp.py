"""State of a model that FSDP has wrapped, asked for by one rank."""

import functools

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullStateDictConfig, StateDictType
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def saved_by_rank_zero(net, path):
    model = FSDP(net, use_orig_params=True)
    if dist.get_rank() == 0:
        torch.save({"model": model.state_dict(), "step": 1}, path)  # expect: TL105


def the_whole_with_a_context(net, rank, path):
    model = FSDP(net).to("cuda")
    if rank == 0:
        with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, FullStateDictConfig(rank0_only=True)):
            state = model.state_dict()  # expect: TL105
        torch.save(state, path)


def early_return(net, rank, path, optimizer):
    model = FSDP(net)
    if rank != 0:
        return
    state = FSDP.optim_state_dict(model, optimizer)  # expect: TL105
    torch.save(state, path)


def averaged_copy(net, copy, rank):
    model = FSDP(net)
    if rank == 0:
        with FSDP.summon_full_params(model):  # expect: TL105
            copy.load_state_dict(model.module.state_dict())


def restored(net, rank, path):
    model = FSDP(net)
    if rank == 0:
        model.load_state_dict(torch.load(path))  # expect: TL105
    dist.barrier()


def clipped(net, rank, log):
    model = FSDP(net)
    for step in range(10):
        if rank == 0:
            log(step, model.clip_grad_norm_(1.0))  # expect: TL105


class Trainer:
    """Wraps in one method, saves in another; compiled on top."""

    def __init__(self, net, policy):
        wrap = functools.partial(FSDP, auto_wrap_policy=policy)
        self.model = torch.compile(FSDP(net, auto_wrap_policy=policy))
        self.head = wrap(nn.Linear(4, 4))
        self.is_master = dist.get_rank() == 0

    def save(self, path):
        if not self.is_master:
            return
        torch.save(self.model.state_dict(), path)  # expect: TL105, TL563


def only_when_sharded(net, rank, path, sharded):
    model = net
    if sharded:
        model = FSDP(net)
    if rank == 0:
        torch.save(model.state_dict(), path)  # expect: TL105
