"""As in torchtitan (a helper for the layers), LlamaGen (a policy of the model's), LambdaLabs, composer (modules of a tree) and OLMo."""

import functools

import torch
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, fully_shard
from torch.distributed.fsdp.wrap import lambda_auto_wrap_policy
from transformers import AutoModelForCausalLM


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(12)])

    def units(self):
        return list(self.layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def apply(modules, **config):
    for module in modules:
        fully_shard(module, **config)


def titan(args, mesh):
    model = Net(args.width)
    apply(model.layers, mesh=mesh)
    fully_shard(model, mesh=mesh)
    return model


def generator(args):
    model = Net(args.width)
    policy = functools.partial(lambda_auto_wrap_policy, lambda_fn=lambda m: m in model.units())
    return FSDP(model, auto_wrap_policy=policy, use_orig_params=True)


def by_tree(name, mesh, kinds):
    model = AutoModelForCausalLM.from_pretrained(name)
    for _, module in model.named_modules():
        if isinstance(module, kinds):
            fully_shard(module, mesh=mesh)
    fully_shard(model, mesh=mesh)
    return model


def by_settings(args):
    settings = dict(device_id=torch.cuda.current_device())
    if args.policy is not None:
        settings["auto_wrap_policy"] = args.policy
    return FSDP(Net(args.width), **settings)
