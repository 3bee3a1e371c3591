"""A copy of PyTorch's loader, whose names are annotated. A name is reported once in a file."""

import sys
from collections.abc import Callable
from typing import Any

from torch.utils.data import _utils

default_collate: Callable[[list[Any]], Any] = _utils.collate.default_collate  # expect: TL911

if len(sys.argv) > 2:
    chosen = _utils.collate.default_collate
else:
    chosen = None

if named := _utils.collate.default_collate:
    print(named)
