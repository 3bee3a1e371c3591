"""The last stage computes the next token, all others make room for it, and all are told before anybody leaves (NVIDIA/NeMo)."""

import torch
import torch.distributed as dist


def generate(model, ids, stop):
    for _ in range(20):
        output = model(ids)
        if dist.get_rank() == dist.get_world_size() - 1:
            token = torch.argmax(output[:, -1], dim=-1, keepdim=True)
        else:
            token = torch.ones((1, 1), dtype=ids.dtype)
        dist.broadcast(token, dist.get_world_size() - 1)
        ids = torch.cat([ids, token], dim=-1)
        if token.item() in stop:
            break
    return ids


def in_two_steps(model, ids, stop):
    for _ in range(20):
        token = torch.argmax(model(ids)) if dist.get_rank() == 0 else torch.zeros(())
        dist.broadcast(token, 0)
        if token > stop:
            break
