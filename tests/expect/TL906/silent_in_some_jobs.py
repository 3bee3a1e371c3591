"""Something else is asked besides, or the job is what is not there."""

import os

import torch.distributed as dist


def asked(args):
    if dist.is_initialized() and args.verbose:
        detail()


def alone():
    if not dist.is_initialized():
        os.environ["CUDA_LAUNCH_BLOCKING"] = "1"


def detail():
    os.environ["NCCL_DEBUG"] = "INFO"


def main(args):
    asked(args)
    alone()
