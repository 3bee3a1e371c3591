"""The leader works alone, and says so."""

import torch.distributed as dist
from waiting import Alone, alone, wait


def fetch(url):
    url.fetch()
    wait()


def leader_fetches(url):
    if dist.get_rank() == 0:
        with alone():
            fetch(url)


def leader_fetches_with_an_object(url):
    if dist.get_rank() == 0:
        with Alone():
            fetch(url)
            return url
    return None
