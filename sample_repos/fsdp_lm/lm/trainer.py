"""Pre-training."""

from __future__ import annotations

import time

import torch
from torch import nn
from torch.utils.data import DataLoader

from .checkpointing import CheckpointStore
from .corpus import batches_on
from .dist_env import ProcessInfo, as_rank_zero_says, average_across_ranks, rank_zero_only, true_anywhere
from .evaluation import perplexity
from .layout import Layout
from .model import LanguageModel, token_loss
from .settings import TrainSettings
from .tracking import LossWindow


class PreTrainer:
    """Owns the sharded model, its optimizer and the loop over the corpus."""

    def __init__(self, settings: TrainSettings, info: ProcessInfo, layout: Layout, model: LanguageModel) -> None:
        self.settings = settings
        self.is_main = info.is_main
        self.layout = layout
        self.model = model
        self.optimizer = torch.optim.AdamW(
            model.parameters(), lr=settings.peak_rate, weight_decay=settings.decay, betas=(0.9, 0.95)
        )
        self.schedule = torch.optim.lr_scheduler.LinearLR(self.optimizer, start_factor=0.01, total_iters=200)
        self.store = CheckpointStore(settings, info)
        self.losses = LossWindow(settings.output_folder / "losses.jsonl")
        self.deadline = time.monotonic() + 60 * settings.minutes if settings.minutes else float("inf")
        self.first_epoch = 0

    def fit(self, loader: DataLoader, heldout: DataLoader) -> None:
        """Train for the epochs of the settings, or until rank 0's clock says stop."""
        for epoch in range(self.first_epoch, self.settings.epochs):  # expect: TL201
            self.run_epoch(epoch, loader)
            self.close_epoch(epoch)
            score = perplexity(self.model, heldout, self.layout.target)
            self.store.write_epoch(self.model, self.optimizer, self.schedule, epoch)
            norm = self.layout.weight_norm(self.model)
            self.announce(epoch, score, norm)
            if as_rank_zero_says(time.monotonic() > self.deadline):
                break

    def run_epoch(self, epoch: int, loader: DataLoader) -> None:
        """One pass over the corpus, with gradient accumulation."""
        self.model.train()
        window = self.settings.accumulate
        self.optimizer.zero_grad(set_to_none=True)
        for step, (tokens, targets) in enumerate(batches_on(loader, self.layout.target)):
            last_of_window = (step + 1) % window == 0
            self.model.set_requires_gradient_sync(last_of_window)
            loss = token_loss(self.model(tokens), targets)
            (loss / window).backward()
            self.losses.push(loss)
            if not last_of_window:
                continue
            self.apply_gradients()
            if (step + 1) // window % self.settings.log_every == 0:
                self.log_step(epoch, step, loss.detach())

    def apply_gradients(self) -> None:
        """Clip and step, unless a rank has seen a gradient that is not finite."""
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip)
        norm = norm.full_tensor() if hasattr(norm, "full_tensor") else norm
        if not true_anywhere(~torch.isfinite(norm)):
            self.optimizer.step()
            self.schedule.step()
        self.optimizer.zero_grad(set_to_none=True)

    def close_epoch(self, epoch: int) -> None:
        """Book-keeping between two epochs."""
        if self.is_main:
            self.losses.flush_epoch(epoch)  # expect: TL101
            print(f"epoch {epoch} done, rate {self.schedule.get_last_lr()[0]:.2e}")

    @rank_zero_only
    def log_step(self, epoch: int, step: int, loss: torch.Tensor) -> None:
        """Print the loss of a step."""
        mean_loss = average_across_ranks(loss)  # expect: TL101
        print(f"epoch {epoch} step {step}: loss {mean_loss:.4f}")

    @rank_zero_only
    def announce(self, epoch: int, score: float, norm: float) -> None:
        """Print what an epoch brought."""
        print(f"epoch {epoch}: perplexity {score:.2f}, weight norm {norm:.3f}")

    def restore_from(self, epoch: int) -> None:
        """Continue after the checkpoint of an epoch."""
        self.first_epoch = self.store.restore_epoch(epoch, self.model, self.optimizer, self.schedule)
