# Modelled on: OpenNMT/OpenNMT-py (scaled while it is reduced), huggingface/lerobot (parts that are put together, here without its
# barrier), THUDM/CogVideo (a border that is sent on), NVIDIA/NeMo (a function of its own for the request).
import torch
import torch.distributed as dist
from torch.distributed import irecv


def reduce_and_rescale(tensors, denominator, size=10485760):
    buffer = tensors[0].new(size).zero_()
    filled = 0
    for tensor in tensors:
        count = tensor.numel()
        buffer[filled : filled + count].copy_(tensor.view(-1))
        filled += count
    dist.all_reduce(buffer[:filled], async_op=True)  # expect: TL128
    buffer.div_(denominator)
    return buffer


def gather_of_any_size(x, sizes):
    parts = []
    for source, size in enumerate(sizes):
        part = x if source == dist.get_rank() else x.new_empty(size)
        dist.broadcast(part, src=source, async_op=True)  # expect: TL128
        parts.append(part * 2)
    return parts


def from_the_rank_before(x, rank):
    border = torch.empty_like(x[-2:])
    irecv(border, src=rank - 1)  # expect: TL128
    return torch.cat([border, x])


def reduce_by(tensor, group, scale):
    tensor.div_(scale)
    dist.all_reduce(tensor, group=group, async_op=True)  # expect: TL128


def mean_loss(loss, group):
    total = loss.detach().clone()
    reduce_by(total, group, 2)
    return total.item()
