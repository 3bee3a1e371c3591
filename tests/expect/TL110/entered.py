"""Modelled on deepspeedai/DeepSpeedExamples, lucidrains/DALLE-pytorch, facebookresearch/vissl, THUDM/CogView."""

import importlib
import os

import deepspeed
import torch
import torch.distributed as dist


def meets_before_the_engine(model, args):
    deepspeed.init_distributed()  # expect: TL110
    if dist.get_rank() == 0:
        os.makedirs(args.out, exist_ok=True)
    dist.barrier()
    engine, *_ = deepspeed.initialize(args=args, model=model)
    return engine


class Backend:
    library = None

    def load(self):
        self.module = importlib.import_module(self.library)

    def start(self):
        self._start()

    def _start(self):
        raise NotImplementedError


class EngineBackend(Backend):
    library = "deepspeed"

    def _start(self):
        self.module.init_distributed()  # expect: TL110


def train(backend, net):
    backend.start()
    return net.cuda()


class Trainer:
    def __init__(self, config, local_rank):
        self.config = config
        if not dist.is_initialized():
            dist.init_process_group(config.backend)  # expect: TL110
            if torch.cuda.is_available() and config.backend == "nccl":
                dist.all_reduce(torch.zeros(1).cuda())
        torch.cuda.set_device(local_rank)


def worker(local_rank, world):
    dist.init_process_group(backend="NCCL", rank=local_rank, world_size=world)  # expect: TL110
    wait()
    torch.cuda.set_device(local_rank)


def wait():
    if dist.get_world_size() > 1:
        dist.barrier()
