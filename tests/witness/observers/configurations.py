"""``configurations.py``: for each line of JSON ``[configuration, processes]`` on stdin a line with what DeepSpeed says of it.

For ``["keys"]`` the line holds the keys of each section that DeepSpeed reads with a model of pydantic.

That is ``taken``, ``sizes``, ``precision``, or the error. DeepSpeed's own class is asked, which needs no GPU and no process group
when it is told how many processes there are.
"""

from __future__ import annotations

import json
import logging
import sys
from typing import Any


def judged(configuration: dict[str, Any], processes: int) -> str:
    """Why DeepSpeed refuses a configuration, or that it does not."""
    from deepspeed import comm
    from deepspeed.runtime.config import DeepSpeedConfig

    comm.get_rank = lambda *_, **__: 0
    comm.get_world_size = lambda *_, **__: processes
    try:
        DeepSpeedConfig(configuration)
    except ZeroDivisionError:
        return "sizes"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the answer
        said = str(error)
        if "has to be greater than 0" in said or "train_batch_size is not equal" in said:
            return "sizes"
        return "precision" if "cannot be simultaneously enabled" in said else f"{type(error).__name__}: {said}"
    return "taken"


def keys() -> dict[str, list[str]]:
    """The keys of sections: fields of DeepSpeed's models, and their other names."""
    from deepspeed.comm.config import CommsLoggerConfig
    from deepspeed.compile.config import CompileConfig
    from deepspeed.monitor.config import CometConfig, CSVConfig, TensorBoardConfig, WandbConfig
    from deepspeed.runtime.config import HybridEngineConfig
    from deepspeed.runtime.precision_config import DeepSpeedBF16Config, DeepSpeedFP16Config
    from deepspeed.runtime.tensor_parallel.config import TPTrainingConfig
    from deepspeed.runtime.zero.config import DeepSpeedZeroConfig
    from deepspeed.runtime.zero.offload_config import DeepSpeedZeroOffloadOptimizerConfig, DeepSpeedZeroOffloadParamConfig

    models = {
        "zero_optimization": DeepSpeedZeroConfig,
        "zero_optimization.offload_param": DeepSpeedZeroOffloadParamConfig,
        "zero_optimization.offload_optimizer": DeepSpeedZeroOffloadOptimizerConfig,
        "fp16": DeepSpeedFP16Config,
        "bf16": DeepSpeedBF16Config,
        "comms_logger": CommsLoggerConfig,
        "compile": CompileConfig,
        "tensorboard": TensorBoardConfig,
        "wandb": WandbConfig,
        "csv_monitor": CSVConfig,
        "comet": CometConfig,
        "hybrid_engine": HybridEngineConfig,
        "tensor_parallel": TPTrainingConfig,
    }
    fields = {section: model.model_fields.items() for section, model in models.items()}
    return {section: sorted({name for key, field in of for name in (key, field.alias or key)}) for section, of in fields.items()}


if __name__ == "__main__":
    answers, sys.stdout = sys.stdout, sys.stderr  # what DeepSpeed prints is no answer
    logging.disable()
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(keys() if asked == ["keys"] else judged(*asked)), file=answers, flush=True)
