"""``compute`` of torchmetrics brings the state of all ranks together, unless the metric was told otherwise."""

import torch.distributed as dist
from torchmetrics import MeanMetric
from torchmetrics.classification import MulticlassAccuracy
from torchmetrics.detection.mean_ap import MeanAveragePrecision
from torchmetrics.image.fid import FrechetInceptionDistance


def images(real, made, **options):
    distance = FrechetInceptionDistance(**options)
    distance.update(real, real=True)
    distance.update(made, real=False)
    if dist.get_rank() == 0:
        return distance.compute()  # expect: TL107
    return None


def classes(batches, model):
    accuracy = MulticlassAccuracy(10)
    for x, y in batches:
        accuracy.update(model(x), y)
    if dist.get_rank() != 0:
        return None
    return accuracy.compute()  # expect: TL107


def boxes(found, wanted, folder=None):
    precision = MeanAveragePrecision()
    precision.update(found, wanted)
    result = {}
    if folder is not None:
        result["mAP"] = precision.compute()
    return result


def of_settings(found, wanted, settings):
    """What the settings hold is not known: the folder may be among them."""
    if dist.get_rank() == 0:
        print(boxes(found, wanted, **settings))  # expect: TL107


def with_a_switch(found, wanted, together=False):
    precision = MeanAveragePrecision()
    precision.update(found, wanted)
    return precision.compute() if together else found


def of_settings_with_a_switch(found, wanted, settings):
    """A switch that is off by default is taken to be off."""
    if dist.get_rank() == 0:
        print(with_a_switch(found, wanted, **settings))


def on_all_ranks(found, wanted, settings):
    result = boxes(found, wanted, **settings)
    if dist.get_rank() == 0:
        print(result)


def without_a_folder(found, wanted):
    if dist.get_rank() == 0:
        print(boxes(found, wanted))


def of_this_rank_only(real):
    distance = FrechetInceptionDistance(sync_on_compute=False)
    distance.update(real, real=True)
    if dist.get_rank() == 0:
        print(distance.compute())


def of_this_rank_only_on_its_device(losses, device):
    mean = MeanMetric(sync_on_compute=False).to(device)
    mean.update(losses)
    if dist.get_rank() == 0:
        print(mean.compute())


def with_a_way_of_its_own(losses):
    mean = MeanMetric(dist_sync_fn=lambda state, group=None: [state])
    mean.update(losses)
    if dist.get_rank() == 0:
        print(mean.compute())


def with_nobody_else(losses):
    mean = MeanMetric(distributed_available_fn=lambda: False)
    mean.update(losses)
    if dist.get_rank() == 0:
        print(mean.compute())


def computed_by_all(losses):
    mean = MeanMetric()
    mean.update(losses)
    value = mean.compute()
    if dist.get_rank() == 0:
        print(value)


class OnADevice:
    """Where a metric is kept is no matter."""

    def __init__(self, device):
        self.accuracy = MulticlassAccuracy(num_classes=10).to(device)

    def tell(self, rank):
        if rank == 0:
            print(self.accuracy.compute())  # expect: TL107
