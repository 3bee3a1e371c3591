"""The loop over articles and summaries."""

from __future__ import annotations

import argparse

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader
from transformers import PreTrainedTokenizerBase, get_linear_schedule_with_warmup

from .saving import StateKeeper, publish
from .scoring import mean_judge_loss, score_of_summaries
from .tracking import Journal


class FineTuner:
    """Owns the prepared model, optimizer and batches of this process."""

    def __init__(
        self,
        args: argparse.Namespace,
        accelerator: Accelerator,
        model: torch.nn.Module,
        learned: DataLoader,
        judged: DataLoader,
    ) -> None:
        self.args = args
        self.accelerator = accelerator
        optimizer = torch.optim.AdamW(model.parameters(), lr=args.learning_rate, weight_decay=0.01)
        steps = args.epochs * len(learned) // args.accumulate
        schedule = get_linear_schedule_with_warmup(optimizer, args.warmup_steps, max(steps, 1))
        prepared = accelerator.prepare(model, optimizer, schedule, learned, judged)
        self.model, self.optimizer, self.schedule, self.learned, self.judged = prepared
        self.keeper = StateKeeper(accelerator, args.output / "states")
        self.journal = Journal(accelerator, args.output / "journal.jsonl")
        self.best = 0.0
        self.waited = 0

    def fit(self, cutter: PreTrainedTokenizerBase) -> None:
        """All epochs, or until the score has not risen for a while."""
        for epoch in range(self.args.epochs):
            mean = self.run_epoch(epoch)
            judged = mean_judge_loss(self.accelerator, self.model, self.judged)
            score = score_of_summaries(self.accelerator, self.model, self.judged, cutter)
            self.accelerator.print(f"epoch {epoch}: loss {mean:.4f}, judged {judged:.4f}, score {score:.4f}")
            self.journal.close_epoch(epoch, score)
            self.keeper.keep(epoch)
            if self.is_exhausted(score):
                break
        publish(self.accelerator, self.model, self.args.output / "model")

    def run_epoch(self, epoch: int) -> float:
        """One pass over this process's articles; the result is the mean loss of all processes."""
        self.model.train()
        total = torch.zeros((), device=self.accelerator.device)
        for step, batch in enumerate(self.learned):
            with self.accelerator.accumulate(self.model):
                with self.accelerator.autocast():
                    loss = self.model(**batch).loss
                self.accelerator.backward(loss)
                if self.accelerator.sync_gradients:
                    self.accelerator.clip_grad_norm_(self.model.parameters(), self.args.clip)
                self.optimizer.step()
                self.schedule.step()
                self.optimizer.zero_grad()
            total += loss  # expect: TL302
            self.journal.enter(step, loss)  # expect: TL301
            self.journal.weigh(loss, batch["labels"].ne(-100).sum())  # expect: TL302
            if step % self.args.log_every == 0 and self.accelerator.is_main_process:
                shared = self.accelerator.reduce(loss.detach(), reduction="mean")  # expect: TL101
                print(f"epoch {epoch} step {step}: loss {shared.item():.4f}")
        return self.accelerator.reduce(total.detach(), reduction="mean").item() / max(len(self.learned), 1)

    def is_exhausted(self, score: float) -> bool:
        """Whether to stop; the score is the same in all processes, and so is the answer."""
        self.waited = 0 if score > self.best else self.waited + 1
        self.best = max(self.best, score)
        return self.waited >= self.args.patience
