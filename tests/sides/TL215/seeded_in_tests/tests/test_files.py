import random

import torch.distributed as dist
from files import mine


def test_mine():
    dist.init_process_group("gloo")
    random.seed(3)
    assert mine(["a", "b"])


def test_the_other_way(names):
    random.shuffle(names)
    assert names[dist.get_rank() :: dist.get_world_size()]
