"""A second group for objects on the host is made where it is used, by one rank."""

from datetime import timedelta

import torch.distributed as dist


def main():
    if dist.get_rank() == 0:
        on_host = dist.new_group(backend="gloo", timeout=timedelta(seconds=5))  # expect: TL108  # stuck: 0
        print(dist.get_world_size(on_host))
    return dist.get_world_size()
