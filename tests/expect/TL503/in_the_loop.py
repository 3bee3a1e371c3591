"""The loop itself makes tensors of texts, batch by batch."""

import torch_xla.core.xla_model as xm
from transformers import AutoTokenizer


def encode(tokenizer, texts):
    return tokenizer(texts, padding=True, truncation=True, max_length=64, return_tensors="pt")  # expect: TL503


def fit(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = encode(tokenizer, texts).to(device)
        loss = model(**tokens, labels=labels.to(device)).loss
        loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()
