"""Template methods: the guard is in the parent, the collective in a child's hook, or the other way round."""

import torch.distributed as dist


class Exporter:
    is_writer = False

    def __init__(self):
        self.is_writer = dist.get_rank() == 0

    def collect(self):
        raise NotImplementedError

    def export(self):
        if self.is_writer:
            return self.collect()  # expect: TL101
        return None


class GatheringExporter(Exporter):
    def collect(self):
        parts = [None] * dist.get_world_size()
        dist.all_gather_object(parts, {"rank": dist.get_rank()})
        return parts


class QuietExporter(Exporter):
    def flush(self):
        dist.barrier()

    def export(self):
        if self.is_writer:
            self.flush()  # expect: TL101
