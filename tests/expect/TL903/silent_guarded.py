# Modelled on: ultralytics/yolov5 (a test of the version, the variable), huggingface/diffusers (on and off again), verl (a launcher's
# dict of variables), facebookresearch/fairchem (set first).
import os

import torch

VARIABLES = {"CUBLAS_WORKSPACE_CONFIG": ":16:8", "NCCL_DETERMINISTIC": "1"}


def init_seeds(seed):
    os.environ.update(VARIABLES)
    torch.cuda.manual_seed_all(seed)
    torch.use_deterministic_algorithms(True, warn_only=True)


def disable():
    torch.use_deterministic_algorithms(False)
