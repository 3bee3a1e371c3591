"""The options are the fields of a dataclass; the sampler comes beside them."""

from dataclasses import asdict, dataclass, replace

from torch.utils.data import DataLoader, WeightedRandomSampler


@dataclass
class LoaderSpec:
    batch_size: int = 64
    shuffle: bool = True
    num_workers: int = 4
    drop_last: bool = True


TRAIN = LoaderSpec()
EVAL = replace(TRAIN, shuffle=False, drop_last=False)


def make_loader(dataset, spec: LoaderSpec, **extra):
    return DataLoader(dataset, **asdict(spec), **extra)  # expect: TL203


def loaders(train_set, val_set, weights):
    sampler = WeightedRandomSampler(weights, len(train_set))
    return {
        "train": make_loader(train_set, TRAIN, sampler=sampler),
        "val": make_loader(val_set, EVAL),
    }
