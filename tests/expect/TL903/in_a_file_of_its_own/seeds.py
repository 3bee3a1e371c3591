# Modelled on: huggingface/accelerate, speechbrain/speechbrain (a helper for all seeds), hiyouga/LLaMA-Factory (a warning only).
import random

import torch


def set_seed(seed, deterministic=False):
    random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    if deterministic:
        torch.use_deterministic_algorithms(True)  # expect: TL903


def enable_all(seed):
    set_seed(seed)
    torch.use_deterministic_algorithms(True, warn_only=True)  # expect: TL903
