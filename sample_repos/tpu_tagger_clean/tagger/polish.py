"""A last pass over the words that the tagger does badly."""

from __future__ import annotations

import argparse

import torch
import torch_xla
import torch_xla.core.xla_model as xm

from .network import Tagger
from .objectives import balance_of_tags, loss_of_hard_words
from .treebank import polishing_batches


def polish_head(args: argparse.Namespace, tagger: Tagger, core: torch.device) -> None:
    """Train the output layer alone; the batches are moved by hand."""
    for weight in tagger.encoder.parameters():
        weight.requires_grad_(False)
    tagger.eval()
    optimizer = torch.optim.SGD(tagger.head.parameters(), lr=args.learning_rate)
    loader = polishing_batches(args)
    usual = torch.ones(args.tags, device=core)
    for epoch in range(args.polish_epochs):
        loader.batch_sampler.sampler.set_epoch(epoch)
        for words, tags, _ in loader:
            words, tags = words.to(core), tags.to(core)
            optimizer.zero_grad()
            scores = tagger.head(tagger.encoder(words)) - usual.log()
            loss = loss_of_hard_words(scores, words, tags, args.hard_above)
            loss.backward()
            xm.optimizer_step(optimizer)
            usual = 0.99 * usual + 0.01 * balance_of_tags(tags, args.tags)
            torch_xla.sync()
