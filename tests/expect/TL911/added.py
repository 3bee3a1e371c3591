"""Added to a list, which the model has as a call."""

from torch.utils.data import _utils

names = []
names += [_utils.collate.default_collate]  # expect: TL911
