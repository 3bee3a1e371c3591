"""Entry point: ``python -m tagger.train --treebank /datasets/treebank``."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

import torch
import torch_xla
import torch_xla.core.xla_model as xm

from .adapt import adapt_encoder
from .cores import announce, fed, own_core
from .network import Encoder, Tagger
from .objectives import loss_of_real_words
from .polish import polish_head
from .scoring import accuracy
from .settings import read_settings
from .snapshots import read_snapshot, write_snapshot
from .treebank import heldout_batches, training_batches


def train_epoch(args: argparse.Namespace, tagger: Tagger, optimizer: torch.optim.Optimizer, batches: Iterable) -> torch.Tensor:
    """One pass over this core's share; the result is the mean loss, still on the core."""
    tagger.train()
    total, steps = 0.0, 0
    for words, tags, _ in batches:
        optimizer.zero_grad()
        loss = loss_of_real_words(tagger(words), words, tags)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(tagger.parameters(), args.clip)
        xm.optimizer_step(optimizer)
        total, steps = total + loss.detach(), steps + 1
        if steps % args.log_every == 0:
            xm.add_step_closure(announce, args=(f"step {steps}: loss", loss.detach()))
    return total / max(steps, 1)


def run_on_core(_: int, args: argparse.Namespace) -> None:
    """What the process of each core does."""
    torch.manual_seed(17)
    core = own_core()
    encoder = Encoder(args).to(core)
    if args.prose is not None:
        adapt_encoder(args, encoder, core)
    tagger = Tagger(args, encoder).to(core)
    optimizer = torch.optim.AdamW(tagger.parameters(), lr=args.learning_rate)
    loader, heldout = training_batches(args), heldout_batches(args)
    batches = fed(loader, core)
    for epoch in range(read_snapshot(args.output, tagger, optimizer), args.epochs):
        loader.sampler.set_epoch(epoch)
        mean_loss = train_epoch(args, tagger, optimizer, batches)
        announce(f"epoch {epoch}: mean loss", mean_loss)
        score = accuracy(encoder, tagger.head, heldout, core)
        xm.master_print(f"epoch {epoch}: accuracy {score:.4f}")
        write_snapshot(args.output, tagger, optimizer, epoch)
    polish_head(args, tagger, core)
    xm.master_print(f"polished: accuracy {accuracy(encoder, tagger.head, heldout, core):.4f}")


if __name__ == "__main__":
    torch_xla.launch(run_on_core, args=(read_settings(),))
