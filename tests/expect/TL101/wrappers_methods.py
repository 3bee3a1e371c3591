"""Methods: of the same object, inherited, overridden, through an attribute, through `super()`, static and class methods."""

import torch.distributed as dist


class Meter:
    def __init__(self):
        self.total = 0.0
        self.count = 0

    def synchronize_between_processes(self):
        dist.barrier()
        dist.all_reduce(self.total)

    @property
    def global_avg(self):
        return self.total / max(self.count, 1)


class BaseTrainer:
    def __init__(self, rank):
        self.rank = rank
        self.meter = Meter()

    def _sync(self):
        dist.barrier()

    def wait(self):
        self._sync()

    @staticmethod
    def average(tensor):
        dist.all_reduce(tensor)
        return tensor / dist.get_world_size()

    @classmethod
    def build(cls, seed):
        dist.broadcast_object_list([seed], src=0)
        return cls(dist.get_rank())

    def after_epoch(self):
        if self.rank == 0:
            self.wait()  # expect: TL101


class SegmentationTrainer(BaseTrainer):
    def __init__(self, rank, ignore_index):
        super().__init__(rank)
        self.ignore_index = ignore_index

    def inherited(self):
        if self.rank == 0:
            self.wait()  # expect: TL101

    def of_an_attribute(self):
        if self.rank == 0:
            self.meter.synchronize_between_processes()  # expect: TL101

    def static(self, iou):
        if self.rank == 0:
            iou = self.average(iou)  # expect: TL101
        return iou

    def by_class_name(self, iou):
        if self.rank == 0:
            iou = BaseTrainer.average(iou)  # expect: TL101
        return iou


class DepthTrainer(BaseTrainer):
    def wait(self):
        if self.rank == 0:
            super().wait()  # expect: TL101


def local_object(rank):
    meter = Meter()
    if rank == 0:
        meter.synchronize_between_processes()  # expect: TL101


def class_method(rank, seed):
    if rank == 0:
        SegmentationTrainer.build(seed)  # expect: TL101
