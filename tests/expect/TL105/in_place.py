"""``fully_shard``: gathering hangs, and what one rank saves of it is a part."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict, get_state_dict
from torch.distributed.fsdp import fully_shard


def sharded(net):
    for layer in net.layers:
        fully_shard(layer)
    return fully_shard(net)


def gathered_for_one(net, path):
    model = sharded(net)
    if dist.get_rank() == 0:
        options = StateDictOptions(full_state_dict=True, cpu_offload=True)
        torch.save(get_model_state_dict(model, options=options), path)  # expect: TL105


def tensor_by_tensor(net, rank, path):
    fully_shard(net)
    parts = net.state_dict()
    if rank == 0:
        whole = {name: part.full_tensor() for name, part in parts.items()}  # expect: TL105
        torch.save(whole, path)


def only_a_part(rank, path):
    model = nn.Transformer()
    fully_shard(model)
    if rank == 0:
        torch.save(model.state_dict(), path)  # expect: TL105


def clipped(rank):
    model = nn.Transformer()
    fully_shard(model)
    if rank == 0:
        print(torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0))  # expect: TL105


def both_states(model, optimizer, rank):
    if rank == 0:
        return get_state_dict(model, optimizer, options=StateDictOptions(full_state_dict=True))  # expect: TL105
    return None
