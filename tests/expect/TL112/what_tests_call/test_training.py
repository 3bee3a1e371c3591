"""pytest runs its tests in one process."""

import torch.distributed as dist
from fixtures import make


def test_sharded():
    dist.init_process_group("gloo", rank=0, world_size=1, init_method="tcp://127.0.0.1:29501")
    model = make(sharded=True)
    with open("weights.txt", "w") as file:
        file.write(str(model))
