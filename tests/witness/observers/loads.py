"""``loads.py FILE``: whether a checkpoint can be loaded by a program that has nothing but PyTorch, as JSON."""

from __future__ import annotations

import json
import os
import sys

os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"

if __name__ == "__main__":
    import torch

    try:
        torch.load(sys.argv[1], weights_only=False)
    except (RuntimeError, NotImplementedError) as error:
        print(json.dumps(type(error).__name__))
    else:
        print(json.dumps("loaded"))
