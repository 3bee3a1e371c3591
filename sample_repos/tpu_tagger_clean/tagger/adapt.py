"""The encoder reads the domain's prose before it sees a tag: it guesses words that were hidden from it."""

from __future__ import annotations

import argparse

import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader
from transformers import AutoTokenizer

from .cores import announce, share_of_core
from .network import Encoder, Filler
from .objectives import loss_of_hidden_words


def hide_words(numbers: torch.Tensor, real: torch.Tensor, mask: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Hide one word in seven; what was hidden stands in the second result, -100 elsewhere."""
    chosen = (torch.rand(numbers.shape) < 1 / 7) & real.bool()
    hidden = torch.full_like(numbers, -100)
    hidden[chosen] = numbers[chosen]
    return numbers.masked_fill(chosen, mask), hidden


def prose_batches(args: argparse.Namespace) -> DataLoader:
    """Shuffled batches of lines of the prose with words hidden in them."""
    cutter = AutoTokenizer.from_pretrained(args.vocabulary)
    lines = args.prose.read_text(encoding="utf-8").splitlines()

    def collate(chosen: list[str]) -> tuple[torch.Tensor, torch.Tensor]:
        cut = cutter(
            chosen,
            padding="max_length",
            truncation=True,
            max_length=args.widest,
            return_tensors="pt",
        )
        return hide_words(cut["input_ids"], cut["attention_mask"], cutter.mask_token_id)

    order = share_of_core(lines, shuffled=True)
    return DataLoader(lines, args.batch_size, sampler=order, collate_fn=collate, drop_last=True)


def adapt_encoder(args: argparse.Namespace, encoder: Encoder, core: torch.device) -> None:
    """Train ``encoder`` on the prose."""
    guesser = Filler(encoder).to(core)
    optimizer = torch.optim.AdamW(guesser.parameters(), lr=args.learning_rate)
    loader = prose_batches(args)
    guesser.train()
    for epoch in range(args.adapt_epochs):
        loader.sampler.set_epoch(epoch)
        queue = pl.ParallelLoader(loader, [core])
        for step, (shown, hidden) in enumerate(queue.per_device_loader(core)):
            optimizer.zero_grad()
            loss = loss_of_hidden_words(guesser(shown), hidden)
            loss.backward()
            xm.optimizer_step(optimizer)
            if step % args.log_every == 0:
                xm.add_step_closure(announce, args=(f"adapting, epoch {epoch} step {step}: loss", loss))
