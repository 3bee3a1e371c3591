# As in NVIDIA/NeMo (a recipe, at the top of the file) and axolotl-ai-cloud/axolotl (a builder of trainers).
import os

import torch
import torch._dynamo

torch._dynamo.config.suppress_errors = True  # expect: TL561

NAME = "nemotron"


class TrainerBuilder:
    def __init__(self, cfg):
        self.cfg = cfg

    def _configure_compile(self, arguments):
        if self.cfg.torch_compile and getattr(torch, "_dynamo", None):
            torch._dynamo.config.suppress_errors = True  # expect: TL561
            torch._dynamo.config.accumulated_cache_size_limit = 256
            arguments["torch_compile"] = self.cfg.torch_compile


def quantized(part, scheme):
    os.environ["TORCH_LOGS"] = "+dynamo,graph_breaks"
    torch.set_float32_matmul_precision("high")
    if scheme == "fp8":
        torch._dynamo.config.suppress_errors = True  # expect: TL561
    return torch.compile(part, mode="max-autotune")
