"""Correct: all ranks gather, one writes; the model is whole on each rank; or each rank saves its part."""

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import FullStateDictConfig, StateDictType, fully_shard
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel as DDP


def gathered_by_all(net, rank, path):
    model = FSDP(net)
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, FullStateDictConfig(offload_to_cpu=True, rank0_only=True)):
        state = model.state_dict()
    if rank == 0:
        torch.save(state, path)


def whole_of_parts(net, rank, path):
    fully_shard(net)
    state = get_model_state_dict(net, options=StateDictOptions(full_state_dict=True))
    if rank == 0:
        torch.save(state, path)


def parts_of_all(net, path):
    fully_shard(net)
    dcp.save(net.state_dict(), checkpoint_id=path)


def data_parallel(net, rank, path):
    model = DDP(net)
    if rank == 0:
        torch.save(model.module.state_dict(), path)
        torch.save(model.state_dict(), path)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)


def plain(rank, path):
    model = nn.Linear(4, 4)
    if rank == 0:
        torch.save(model.state_dict(), path)


def by_mode(net, rank, path, mode):
    if mode == "fsdp":
        model = FSDP(net)
    else:
        model = DDP(net)
    if mode == "fsdp":
        state = model.state_dict()
    elif rank == 0:
        state = model.state_dict()
    if rank == 0:
        torch.save(state, path)


def not_in_this_mode(net, rank, path, sharded):
    model = FSDP(net) if sharded else net
    if rank == 0 and not sharded:
        torch.save(model.state_dict(), path)


class Trainer:
    """Which wrapper it is, is decided once; the save asks for it again."""

    def __init__(self, net, args):
        self.args = args
        self.model = net
        if args.fsdp:
            self.model = FSDP(net)
        else:
            self.model = DDP(net)

    def save(self, path, rank):
        if self.args.fsdp:
            state = self.model.state_dict()
            if rank == 0:
                torch.save(state, path)
        elif rank == 0:
            torch.save(self.model.state_dict(), path)


def wrapped(net, args):
    if args.fsdp:
        return FSDP(net)
    return DDP(net)


def through_a_factory(net, args, rank, path):
    model = wrapped(net, args)
    if not args.fsdp and rank == 0:
        torch.save(model.state_dict(), path)


def of_the_optimizer(net, optimizer, rank, path):
    fully_shard(net)
    if rank == 0:
        print(len(optimizer.state_dict()["param_groups"]))


def counted(net, rank):
    model = FSDP(net)
    if rank == 0:
        print(sum(p.numel() for p in model.parameters()), model)


def own_tensor(box, rank):
    if rank == 0:
        return box.full_tensor()
    return None


def shard_by_shard(net, rank, path):
    fully_shard(net)
    state = net.state_dict()
    torch.save(state, f"{path}.{rank}")
    dist.barrier()
