"""All ranks make the group, also those that do not use it."""

from datetime import timedelta

import torch.distributed as dist


def main():
    on_host = dist.new_group(backend="gloo", timeout=timedelta(seconds=5))
    size = dist.get_world_size(on_host)
    if dist.get_rank() == 0:
        print(size)
    return size
