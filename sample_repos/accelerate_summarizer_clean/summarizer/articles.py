"""Articles, their summaries and topics, and the batches made of them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from accelerate import Accelerator, DistributedType
from torch.utils.data import DataLoader, Dataset
from transformers import DataCollatorForSeq2Seq, PreTrainedModel, PreTrainedTokenizerBase


class Articles(Dataset):
    """Articles and summaries, cut into the tokenizer's pieces; the main process fills the cache, the others read it."""

    def __init__(
        self, args: argparse.Namespace, split: str, cutter: PreTrainedTokenizerBase, accelerator: Accelerator
    ) -> None:
        source = args.articles / f"{split}.jsonl"
        cached = args.output / f"{split}.pt"
        with accelerator.main_process_first():
            if not cached.exists():
                cached.parent.mkdir(parents=True, exist_ok=True)
                torch.save(cut_articles(args, source, cutter), cached)
        self.samples = torch.load(cached, weights_only=True)

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, number: int) -> dict:
        return self.samples[number]


def cut_articles(args: argparse.Namespace, source: Path, cutter: PreTrainedTokenizerBase) -> list[dict]:
    """The articles of a file as numbers."""
    samples = []
    for line in source.read_text(encoding="utf-8").splitlines():
        article = json.loads(line)
        cut = cutter(article["text"], truncation=True, max_length=args.longest_article)
        summary = cutter(text_target=article["summary"], truncation=True, max_length=args.longest_summary)
        samples.append({"input_ids": cut["input_ids"], "labels": summary["input_ids"], "topic": article["topic"]})
    return samples


def article_batches(
    args: argparse.Namespace,
    articles: Articles,
    cutter: PreTrainedTokenizerBase,
    model: PreTrainedModel,
    accelerator: Accelerator,
    shuffled: bool,
) -> DataLoader:
    """Batches as wide as their longest article: right on GPUs, while TPUs want one width for all."""
    if accelerator.distributed_type == DistributedType.XLA:
        stacked = DataCollatorForSeq2Seq(cutter, model=model, padding="max_length", max_length=args.longest_article)
    else:
        stacked = DataCollatorForSeq2Seq(cutter, model=model, padding="longest", pad_to_multiple_of=8)

    def collate(samples: list[dict]) -> dict:
        return dict(stacked([{key: sample[key] for key in ("input_ids", "labels")} for sample in samples]))

    return DataLoader(articles, args.batch_size, shuffle=shuffled, collate_fn=collate)


def topic_batches(args: argparse.Namespace, articles: Articles, cutter: PreTrainedTokenizerBase) -> DataLoader:
    """Batches of (numbers, attention mask, topics)."""

    def collate(samples: list[dict]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        block = cutter.pad({"input_ids": [sample["input_ids"] for sample in samples]}, padding=True, return_tensors="pt")
        return block["input_ids"], block["attention_mask"], torch.tensor([sample["topic"] for sample in samples])

    return DataLoader(articles, args.batch_size, shuffle=True, collate_fn=collate)
