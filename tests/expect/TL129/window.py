"""As in modded-nanogpt (a list of batches), ParlAI (scaled in a helper) and DeepLearningExamples' BART (a loss handed back)."""

import contextlib

import torch
import torch.nn.functional as F
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel as DDP


def main(make, loader, steps, window, device):
    model = DDP(make().cuda(), device_ids=[device])
    scaler = torch.amp.GradScaler()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    x, y = loader.next_batch()
    for step in range(steps):
        for i in range(1, window + 1):
            with torch.autocast(device_type="cuda", dtype=torch.float16):
                _, loss = model(x, y, return_logits=False)
                loss = loss / window
            x, y = loader.next_batch()
            if i < window:
                with model.no_sync():
                    scaler.scale(loss).backward()  # expect: TL129
            else:
                scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)


def compute_loss(model, batch):
    return F.cross_entropy(model(batch["x"]), batch["y"])


def by_a_context(make, loader, window):
    model = DDP(make())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for number, batch in enumerate(loader):
        loss = compute_loss(model, batch) / window
        last = (number + 1) % window == 0
        context = contextlib.nullcontext() if last else model.no_sync()
        with context:
            loss.backward()  # expect: TL129
        if last:
            optimizer.step()
            optimizer.zero_grad()


class Trainer:
    """As in LoongForge before it was mended: either wrapper, told apart by what it has."""

    def __init__(self, net, args):
        self.model = fully_shard(net) if args.sharded else DDP(net)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=args.lr)

    def backward(self, loss, synchronize):
        if not synchronize:
            if hasattr(self.model, "no_sync"):
                with self.model.no_sync():
                    loss.backward()  # expect: TL129
            else:
                self.model.set_requires_gradient_sync(False)
                loss.backward()
        else:
            loss.backward()

    def step(self, batches):
        self.optimizer.zero_grad()
        for number, (x, y) in enumerate(batches):
            loss = F.cross_entropy(self.model(x), y) / len(batches)
            self.backward(loss, number == len(batches) - 1)
        self.optimizer.step()
