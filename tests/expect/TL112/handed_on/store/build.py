import torch.distributed as dist
from torch.utils.data import DataLoader

from .tables import save_names


def loaders(config, make):
    sets = make(config.names)
    save_names(sets, config.out)
    return [DataLoader(each, batch_size=config.size // dist.get_world_size()) for each in sets]
