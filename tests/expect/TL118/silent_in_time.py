"""As in LambdaLabs' guide, fairchem (a dict), ColossalAI (initialised anew), accelerate (a library prepares), composer, Lumina."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard


def guide(model, args, mesh):
    for layer in model.model.layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    return torch.optim.AdamW(model.parameters(), lr=args.lr, fused=True)


class Engine:
    def _build_model_optimizer(self, module, config):
        self.model = FullyShardedDataParallel(module, auto_wrap_policy=config.policy, use_orig_params=config.orig)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=config.lr)


class Unit:
    def __init__(self, model, policy):
        self.optimizer = torch.optim.AdamW(params=model.parameters())
        settings = {"auto_wrap_policy": policy, "use_orig_params": True}
        self.model = FullyShardedDataParallel(model, **settings)


class Plugin:
    def configure(self, model, policy):
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        wrapped = FullyShardedDataParallel(model, auto_wrap_policy=policy)
        optimizer.__init__(wrapped.parameters(), **optimizer.defaults)
        return wrapped, optimizer


def prepared(model, loader):
    accelerator = Accelerator()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        optimizer.zero_grad()
        accelerator.backward(F.cross_entropy(model(x), y))
        optimizer.step()


def frozen_encoder(model, encoder, policy):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    encoder = FullyShardedDataParallel(encoder.eval().requires_grad_(False), auto_wrap_policy=policy)
    return model, encoder, optimizer


def parts_apart(model, policy):
    optimizer = torch.optim.AdamW(model.head.parameters(), lr=1e-4)
    model.backbone = FullyShardedDataParallel(model.backbone, auto_wrap_policy=policy)
    return model, optimizer


def one_or_the_other(model, args, policy):
    if args.strategy == "ddp":
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
        model = torch.nn.parallel.DistributedDataParallel(model)
    else:
        model = FullyShardedDataParallel(model, auto_wrap_policy=policy)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    return model, optimizer


def network():
    return torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))


def actor_and_critic(policy):
    actor, critic = network(), network()
    optimizer = torch.optim.AdamW(actor.parameters(), lr=1e-4)
    critic = FullyShardedDataParallel(critic, auto_wrap_policy=policy)
    return actor, critic, optimizer
