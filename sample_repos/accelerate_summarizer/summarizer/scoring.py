"""How good are the summaries?"""

from __future__ import annotations

from collections import Counter

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader
from transformers import PreTrainedTokenizerBase


def shared_words(summary: str, wanted: str) -> float:
    """F1 of the words of two texts."""
    ours, theirs = Counter(summary.lower().split()), Counter(wanted.lower().split())
    common = (ours & theirs).total()
    return 2 * common / max(ours.total() + theirs.total(), 1)


@torch.no_grad()
def mean_judge_loss(accelerator: Accelerator, model: torch.nn.Module, batches: DataLoader) -> float:
    """The mean loss over all articles of all processes."""
    model.eval()
    losses, total = [], 0.0
    for batch in batches:
        loss = model(**batch).loss
        total += loss
        losses.append(accelerator.gather_for_metrics(loss.repeat(len(batch["labels"]))))
    accelerator.print(f"judging, first process alone: {float(total) / max(len(batches), 1):.4f}")
    return torch.cat(losses).mean().item()


@torch.no_grad()
def score_of_summaries(
    accelerator: Accelerator, model: torch.nn.Module, batches: DataLoader, cutter: PreTrainedTokenizerBase
) -> float:
    """The mean score of the summaries that the model writes."""
    model.eval()
    scores = []
    for batch in batches:
        written = accelerator.unwrap_model(model).generate(
            input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], max_new_tokens=64
        )
        wanted = batch["labels"].masked_fill(batch["labels"] == -100, cutter.pad_token_id)
        texts = zip(
            cutter.batch_decode(written, skip_special_tokens=True), cutter.batch_decode(wanted, skip_special_tokens=True)
        )
        local = torch.tensor([shared_words(*pair) for pair in texts], device=accelerator.device)
        scores.append(accelerator.gather_for_metrics(local))
    return torch.cat(scores).mean().item()
