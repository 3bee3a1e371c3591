"""Modelled on k2-fsa/icefall, microsoft/GLIP, huggingface/diffusers, open-mmlab/OpenPCDet, volcengine/verl, facebookresearch/vissl."""

import os

os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # expect: TL906
os.environ["NCCL_DEBUG"] = "WARN"
os.environ["TOKENIZERS_PARALLELISM"] = "true"


def enable_full_determinism():
    os.environ["NCCL_DEBUG"] = "INFO"


def set_env_vars(config):
    if config.nccl_debug:
        os.environ["TORCH_DISTRIBUTED_DEBUG"] = "DETAIL"


def infer_time(args):
    if args.infer_time:
        wait_for_kernels()


def wait_for_kernels():
    os.environ["TORCH_DISTRIBUTED_DEBUG"] = "DETAIL"


def repeat():
    os.environ["TORCH_DISTRIBUTED_DEBUG"] = "DETAIL"
    os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":16:8"


def settings():
    return {"CUDA_LAUNCH_BLOCKING": "1"}
