"""`is_rank_0()`, `_is_rank_zero`, `is_rank_zero`: as function, attribute, property."""

import torch.distributed as dist


def is_rank_0() -> bool:
    return not dist.is_initialized() or dist.get_rank() == 0


class RewardTrainer:
    def __init__(self, strategy):
        self.strategy = strategy
        self._is_rank_zero = dist.get_rank() == 0

    @property
    def is_rank_zero(self) -> bool:
        return dist.get_rank() == 0

    def log(self, reward):
        if self._is_rank_zero:
            dist.all_reduce(reward)  # expect: TL101

    def log_by_property(self, reward):
        if self.is_rank_zero:
            dist.all_reduce(reward)  # expect: TL101

    def log_by_strategy(self, reward):
        if self.strategy.is_rank_0():
            dist.all_reduce(reward)  # expect: TL101


def print_rank_0(reward):
    if is_rank_0():
        dist.all_reduce(reward)  # expect: TL101
        print(reward)
