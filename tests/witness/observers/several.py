"""``several.py STEPS PROGRAM…``: what each program's ``train`` returns, or the error that it raises, as JSON by its name.

One process for all: to import TensorFlow takes longer than all of them. What they set for the whole process is set back.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from pathlib import Path
from typing import Any

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""


def result(path: str, steps: int) -> Any:
    """What a program returns, or the error that it ends with."""
    from tensorflow import keras

    try:
        return runpy.run_path(path)["train"](steps)
    except ValueError as error:
        return type(error).__name__
    finally:
        keras.mixed_precision.set_dtype_policy("float32")


if __name__ == "__main__":
    print(json.dumps({Path(path).stem: result(path, int(sys.argv[1])) for path in sys.argv[2:]}))
