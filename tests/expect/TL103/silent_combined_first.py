"""What ranks combine is tested afterwards; its form is no number; what is not combined is another thing."""

import torch
import torch.distributed as dist


def mean_of(values, mask):
    total = torch.stack([(values * mask).sum(), mask.sum()])
    dist.all_reduce(total)
    if total[1].item() == 0:
        return 0.0
    return (total[0] / total[1]).item()


def average(gradients):
    if not gradients or dist.get_world_size() == 1:
        return
    if len(gradients) == 1:
        dist.all_reduce(gradients[0])
        return
    flat = torch.cat([each.view(-1) for each in gradients])
    dist.all_reduce(flat)


def gather(tensor, enabled=True):
    if tensor is None or not enabled:
        return tensor
    if tensor.dim() == 0:
        tensor = tensor[None]
    size = torch.tensor([tensor.shape[0]], device=tensor.device)
    sizes = [torch.zeros_like(size) for _ in range(dist.get_world_size())]
    dist.all_gather(sizes, size)
    longest = max(each.item() for each in sizes)
    if size.item() != longest:
        tensor = torch.cat([tensor, tensor.new_zeros(longest - size.item())])
    parts = [torch.zeros_like(tensor) for _ in sizes]
    dist.all_gather(parts, tensor)
    return parts


def check(loss, name):
    if torch.isnan(loss).any():
        raise ValueError(name)
    dist.all_reduce(loss)
    return loss


def on_the_device(config, step, loss):
    if config["log"].max() > 3 and step % 10 == 0:
        value = torch.tensor(1.0, device=loss.device)
        dist.all_reduce(value)
        return value
    return None


def shared(weights):
    if weights.sum() > 0:
        dist.broadcast(weights, 0)
