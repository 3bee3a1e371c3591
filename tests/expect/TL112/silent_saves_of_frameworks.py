"""Frameworks whose own saving keeps the ranks apart, or needs all of them."""

import deepspeed
import lightning
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from accelerate import Accelerator
from torch.distributed.fsdp import fully_shard
from torch_xla.core import xla_model as xm


def with_accelerate(model, args):
    accelerator = Accelerator()
    accelerator.init_trackers("project")
    accelerator.save_model(model, args.output_dir)
    accelerator.save_state(args.output_dir)


def with_deepspeed(args, model):
    engine, _, _, _ = deepspeed.initialize(args=args, model=model)
    engine.save_checkpoint(args.output_dir)


def with_shards(model, args):
    dist.init_process_group("nccl")
    fully_shard(model)
    dcp.save(model.state_dict(), checkpoint_id=args.output_dir)
    model.save_pretrained(args.output_dir)


def with_lightning(model, data):
    trainer = lightning.Trainer(devices=2)
    trainer.fit(model, data)
    trainer.save_checkpoint("last.ckpt")


def with_xla(model):
    dist.init_process_group("xla")
    xm.save(model.state_dict(), "model.pt")
