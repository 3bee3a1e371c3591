"""The options of a loader are the fields of a dataclass."""

from dataclasses import asdict, dataclass, field

from torch.utils.data import DataLoader


@dataclass
class Options:
    batch_size: int = 32
    num_workers: int = 0
    prefetch_factor: int = 4


@dataclass
class Many:
    batch_size: int = 32
    num_workers: int = 4
    prefetch_factor: int = 4


@dataclass
class Config:
    loader: Options = field(default_factory=Options)
    many: Many = field(default_factory=Many)


def loaders(dataset):
    config = Config()
    return (
        DataLoader(dataset, **asdict(config.loader)),  # expect: TL207
        DataLoader(dataset, **vars(config.many)),
    )
