# Modelled on: speechbrain/speechbrain (seeds of a helper), k2-fsa/icefall (tests of layers below a guard), pytorch/examples (one
# generator is enough), ultralytics/yolov5 (workers seed their own).
import random

import numpy as np
import torch


def seed_worker(worker_id):
    seed = torch.initial_seed() % 2**32
    np.random.seed(seed)
    random.seed(seed)


class Half(torch.nn.Module):
    def forward(self, x):
        return x / 2 if self.training and random.random() < 0.5 else x


def _test_half():
    torch.manual_seed(0)
    assert Half()(torch.ones(2)).sum() > 0


def play(env, seed):
    env.seed(seed)
    torch.manual_seed(seed)
    return torch.rand(2)


def loader(data):
    return torch.utils.data.DataLoader(data, num_workers=2, worker_init_fn=seed_worker)


if __name__ == "__main__":
    _test_half()
