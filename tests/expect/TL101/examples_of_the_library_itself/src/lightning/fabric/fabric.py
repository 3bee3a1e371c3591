"""The class itself: what it does is out of sight, in what it is made of."""


class Fabric:
    def __init__(self, strategy):
        self._strategy = strategy

    def all_gather(self, *args, **kwargs):
        return self._strategy.all_gather(*args, **kwargs)

    def all_reduce(self, *args, **kwargs):
        return self._strategy.all_reduce(*args, **kwargs)

    def backward(self, *args, **kwargs):
        return self._strategy.backward(*args, **kwargs)

    def barrier(self, *args, **kwargs):
        return self._strategy.barrier(*args, **kwargs)

    def broadcast(self, *args, **kwargs):
        return self._strategy.broadcast(*args, **kwargs)

    def clip_gradients(self, *args, **kwargs):
        return self._strategy.clip_gradients(*args, **kwargs)

    def load(self, *args, **kwargs):
        return self._strategy.load(*args, **kwargs)

    def rank_zero_first(self, *args, **kwargs):
        return self._strategy.rank_zero_first(*args, **kwargs)

    def save(self, *args, **kwargs):
        return self._strategy.save(*args, **kwargs)

    def setup(self, *args, **kwargs):
        return self._strategy.setup(*args, **kwargs)

    def setup_dataloaders(self, *args, **kwargs):
        return self._strategy.setup_dataloaders(*args, **kwargs)

    def setup_module(self, *args, **kwargs):
        return self._strategy.setup_module(*args, **kwargs)

    def setup_optimizers(self, *args, **kwargs):
        return self._strategy.setup_optimizers(*args, **kwargs)

    @property
    def global_rank(self):
        return self._strategy.global_rank

    @property
    def is_global_zero(self):
        return self._strategy.is_global_zero

    @property
    def local_rank(self):
        return self._strategy.local_rank

    @property
    def node_rank(self):
        return self._strategy.node_rank

    @property
    def world_size(self):
        return self._strategy.world_size
