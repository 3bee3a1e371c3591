"""The encoder learns to tell the newspaper's topics before it learns to summarise."""

from __future__ import annotations

import argparse

import torch
from accelerate import Accelerator
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader
from transformers import PreTrainedModel


class TopicTeller(nn.Module):
    """Scores of the topics of articles, from the mean of the encoder's vectors."""

    def __init__(self, encoder: PreTrainedModel, topics: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.verdict = nn.Linear(encoder.config.hidden_size, topics)

    def forward(self, numbers: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
        vectors = self.encoder(input_ids=numbers, attention_mask=real).last_hidden_state
        share = real.unsqueeze(-1).to(vectors.dtype)
        return self.verdict((vectors * share).sum(1) / share.sum(1))


def learn_topics(args: argparse.Namespace, accelerator: Accelerator, model: PreTrainedModel, batches: DataLoader) -> None:
    """Train the encoder of ``model``, and a head that is thrown away."""
    teller = TopicTeller(model.get_encoder(), args.topics)
    optimizer = torch.optim.AdamW(teller.parameters(), lr=args.learning_rate)
    teller, optimizer, batches = accelerator.prepare(teller, optimizer, batches)
    teller.train()
    for epoch in range(args.topic_epochs):
        losses, right = [], torch.zeros((), device=accelerator.device)
        for numbers, real, topics in batches:
            with accelerator.accumulate(teller):
                with torch.autocast(accelerator.device.type, torch.float16, enabled=args.precision == "fp16"):
                    scores = teller(numbers, real)
                    loss = F.cross_entropy(scores, topics)
                accelerator.backward(loss)
                optimizer.step()
                optimizer.zero_grad()
            losses.append(loss)  # expect: TL301
            right += (scores.argmax(dim=-1) == topics).float().mean()
        mean_loss = accelerator.reduce(torch.stack(losses).mean(), reduction="mean")
        mean_right = accelerator.reduce(right / len(batches), reduction="mean")
        accelerator.print(f"topics {epoch}: loss {mean_loss.item():.4f}, right {mean_right.item():.4f}")
    accelerator.free_memory()
