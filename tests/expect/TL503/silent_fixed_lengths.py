"""One length, or a few: by the tokenizer, by a multiple, by the data, or by another pad."""

import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
from transformers import AutoTokenizer, DataCollatorWithPadding

tokenizer = AutoTokenizer.from_pretrained("roberta-base")


def fit(model, optimizer, data, together):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=together)
    for batch in pl.MpDeviceLoader(loader, xm.xla_device()):
        model(**batch).loss.backward()
        xm.optimizer_step(optimizer)
        optimizer.zero_grad()


def to_one_length(items):
    return tokenizer.pad(items, padding="max_length", max_length=128, return_tensors="pt")


def to_a_multiple(items):
    return tokenizer.pad(items, padding="longest", pad_to_multiple_of=64, return_tensors="pt")


def padded_again(items):
    rows = pad_sequence(items, batch_first=True)
    return {"input_ids": F.pad(rows, (0, 512 - rows.shape[1]))}


def buckets(items):
    longest = max(len(item) for item in items)
    size = next(size for size in (128, 256, 512) if size >= longest)
    return {"input_ids": torch.stack([F.pad(item, (0, size - len(item))) for item in items])}


def no_padding(items):
    return {"input_ids": torch.stack([item[:128] for item in items])}


def run(model, optimizer, data, flags):
    fit(model, optimizer, data, to_one_length)
    fit(model, optimizer, data, to_a_multiple)
    fit(model, optimizer, data, padded_again)
    fit(model, optimizer, data, buckets)
    fit(model, optimizer, data, no_padding)
    fit(model, optimizer, data, DataCollatorWithPadding(tokenizer, pad_to_multiple_of=8))
    fit(model, optimizer, data, DataCollatorWithPadding(tokenizer, padding="max_length", max_length=128))
    fit(model, optimizer, data, DataCollatorWithPadding(tokenizer, padding=flags.padding))
