"""The same padding on other devices, and in evaluation."""

import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
from transformers import AutoTokenizer, DataCollatorWithPadding

tokenizer = AutoTokenizer.from_pretrained("roberta-base")


def together(items):
    return pad_sequence(items, batch_first=True)


def on_cuda(model, optimizer, data):
    for batch in DataLoader(data, batch_size=8, collate_fn=together):
        model(batch.cuda()).backward()
        optimizer.step()
        optimizer.zero_grad()


def by_collator(model, optimizer, data):
    for batch in DataLoader(data, batch_size=8, collate_fn=DataCollatorWithPadding(tokenizer)):
        model(**batch.to("cuda")).loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def evaluated(model, data):
    loader = DataLoader(data, batch_size=8, collate_fn=together)
    with torch.no_grad():
        return [model(batch) for batch in pl.MpDeviceLoader(loader, xm.xla_device())]


def guided(model, optimizer, batches):
    """The same text in every step has the same length."""
    device = xm.xla_device()
    for images in batches:
        nothing = tokenizer([""], padding=True, return_tensors="pt").to(device)
        model(images.to(device), **nothing).backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def answered(model, questions):
    device = xm.xla_device()
    for question in questions:
        tokens = tokenizer(question, padding=True, return_tensors="pt").to(device)
        yield model.generate(**tokens)
