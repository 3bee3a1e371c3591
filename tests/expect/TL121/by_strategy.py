"""As in OpenDiloco before it was mended: a strategy that is chosen, compiled in one mode, clipped at the end of a window."""

from contextlib import nullcontext

import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, ShardingStrategy


def strategy_of(name):
    if name == "FULL_SHARD":
        return ShardingStrategy.FULL_SHARD
    if name == "NO_SHARD":
        return ShardingStrategy.NO_SHARD
    return ShardingStrategy.SHARD_GRAD_OP


def train(make, loader, config, start):
    scaler = torch.amp.GradScaler("cuda", enabled=config.half)
    model = make(config)
    model = FSDP(
        model, sharding_strategy=strategy_of(config.strategy), auto_wrap_policy=config.policy, use_orig_params=config.fast
    )
    if config.fast:
        model = torch.compile(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=config.lr)
    step = start(model, optimizer)
    for number, batch in enumerate(loader, start=step * config.window):
        accumulating = bool((number + 1) % config.window)
        with model.no_sync() if accumulating else nullcontext():
            loss = model(**batch).loss / config.window
            scaler.scale(loss).backward()
        if not accumulating:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # expect: TL121
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
