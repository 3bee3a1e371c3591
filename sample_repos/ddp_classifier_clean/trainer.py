"""The training loop."""

from __future__ import annotations

import argparse
from collections import defaultdict

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader

from checkpoint import Checkpointer
from data import begin_epoch
from distributed import agree_on_flag, get_local_rank, is_distributed, is_main, reduce_mean
from evaluation import append_history, evaluate, memory_by_host
from metrics import RunningMean


class Patience:
    """Says when a score has not risen for too long."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.best = float("-inf")
        self.waited = 0

    def is_exhausted(self, score: float) -> bool:
        """Take notice of a score; True when the best one is too long ago."""
        if score > self.best:
            self.best, self.waited = score, 0
        else:
            self.waited += 1
        return self.waited >= self.limit


class Trainer:
    """Trains a network on the loaders it is given; one instance per process."""

    def __init__(
        self,
        args: argparse.Namespace,
        network: nn.Module,
        train_loader: DataLoader,
        eval_loader: DataLoader,
        device: torch.device,
    ) -> None:
        self.options = args
        self.target = device
        self.network = network.to(device)
        self.replica: nn.Module = self.network
        if is_distributed():
            chosen = [get_local_rank()] if device.type == "cuda" else None
            self.replica = DistributedDataParallel(self.network, device_ids=chosen)
        self.train_loader = train_loader
        self.eval_loader = eval_loader
        self.optimizer = torch.optim.SGD(
            self.replica.parameters(),
            lr=args.learning_rate,
            momentum=0.9,
            weight_decay=args.weight_decay,
            nesterov=True,
        )
        self.schedule = torch.optim.lr_scheduler.CosineAnnealingLR(
            self.optimizer, T_max=max(1, args.epochs * len(train_loader))
        )
        self.mixed = device.type == "cuda"
        self.scaler = torch.amp.GradScaler(device.type, enabled=self.mixed)
        self.checkpoints = Checkpointer(args.output / "checkpoints", args.keep)
        self.impatience = Patience(args.patience)
        self.curves: dict[str, list[float]] = defaultdict(list)
        self.first_epoch = 0
        self.chief = is_main()

    def fit(self) -> None:
        """Train until the last epoch, or until the main process has lost its patience."""
        for epoch in range(self.first_epoch, self.options.epochs):
            begin_epoch(self.train_loader, epoch)
            self.curves["train_loss"].append(self.run_epoch(epoch))
            report = evaluate(self.network, self.eval_loader, self.options.classes, self.target)
            self.curves["accuracy"].append(report["accuracy"])
            self.checkpoints.save_epoch(self.snapshot(epoch), epoch)
            memory = memory_by_host(self.mixed)
            stop = False
            if is_main():
                print(f"epoch {epoch}: accuracy {report['accuracy']:.4f}, memory {memory[0]}")
                append_history(self.options.output / "history.jsonl", epoch, report)
                stop = self.impatience.is_exhausted(report["accuracy"])
            if agree_on_flag(stop, self.target):
                break

    def run_epoch(self, epoch: int) -> float:
        """One pass over the training data; returns the mean loss over all processes."""
        self.replica.train()
        mean_loss = RunningMean(self.target)
        for step, (images, labels, _) in enumerate(self.train_loader):
            images = images.to(self.target, non_blocking=True)
            labels = labels.to(self.target, non_blocking=True)
            with torch.autocast(self.target.type, dtype=torch.float16, enabled=self.mixed):
                loss = F.cross_entropy(self.replica(images), labels, label_smoothing=0.1)
            self.optimizer.zero_grad(set_to_none=True)
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.replica.parameters(), self.options.clip)
            self.scaler.step(self.optimizer)
            self.scaler.update()
            self.schedule.step()
            mean_loss.include(loss.detach(), labels.numel())
            if step % self.options.log_every == 0:
                shared = reduce_mean(loss.detach())
                if self.chief:
                    print(f"epoch {epoch} step {step}: loss {shared.item():.4f}")
        return mean_loss.over_all_ranks()

    def snapshot(self, epoch: int) -> dict:
        """Everything a resumed run needs."""
        return {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "schedule": self.schedule.state_dict(),
            "scaler": self.scaler.state_dict(),
            "epoch": epoch,
        }

    def restore_newest(self) -> None:
        """Continue after the newest checkpoint, if there is one."""
        stored = self.checkpoints.newest_snapshot()
        if stored is None:
            return
        self.network.load_state_dict(stored["network"])
        self.optimizer.load_state_dict(stored["optimizer"])
        self.schedule.load_state_dict(stored["schedule"])
        self.scaler.load_state_dict(stored["scaler"])
        self.first_epoch = stored["epoch"] + 1
