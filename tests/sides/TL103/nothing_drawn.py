"""Where a loader has run dry on one rank there is None; beside another loader's items all ranks have None together."""

from torch.nn.parallel import DistributedDataParallel


def drawn(network, loader):
    model = DistributedDataParallel(network)
    for batch in loader:
        if batch is None:
            continue
        model(batch).mean().backward()  # expect: TL103


def part_of_what_was_drawn(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        if labels is None:
            continue
        criterion(model(images), labels).backward()  # expect: TL103


def named_part(network, loader, criterion):
    model = DistributedDataParallel(network)
    for batch in loader:
        if batch["mask"] is None:
            continue
        criterion(model(batch["images"]), batch["mask"]).backward()


def size_of_what_was_drawn(network, loader):
    model = DistributedDataParallel(network)
    for batch in loader:
        if batch.shape is None:
            continue
        model(batch).mean().backward()


def side_by_side(network, loader, others):
    model = DistributedDataParallel(network)
    for batch, other in zip(loader, others):
        if other is None:
            continue
        model(batch, other).mean().backward()


def side_by_side_and_numbered(network, loader, others):
    model = DistributedDataParallel(network)
    for step, (batch, other) in enumerate(zip(loader, others)):
        if other is None:
            continue
        model(batch, other, step).mean().backward()


def listed(network, loader):
    model = DistributedDataParallel(network)
    for batch in list(loader):
        if batch is None:
            continue
        model(batch).mean().backward()  # expect: TL103


class Model:
    def __init__(self, network):
        self.model = DistributedDataParallel(network)

    def step(self, batch=None):
        if batch is None:
            return
        self.model(batch).mean().backward()

    def fit(self, loader):
        for batch in loader:
            self.step(batch)
