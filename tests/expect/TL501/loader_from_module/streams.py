from torch.utils.data import DataLoader, RandomSampler
from torch_xla.distributed.parallel_loader import MpDeviceLoader


class Streams:
    def __init__(self, words, device, size):
        self.device = device
        self.size = size
        self.train = self.wrapped(self.loader(words, keep=False))
        self.valid = self.wrapped(self.loader(words[:100], keep=True))

    def loader(self, words, keep):
        return DataLoader(words, self.size, False, RandomSampler(words))  # expect: TL501

    def wrapped(self, loader):
        return MpDeviceLoader(loader, self.device)
