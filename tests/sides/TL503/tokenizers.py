"""Tokenizers that pad in the loop itself, and what they are told."""

import torch_xla.core.xla_model as xm
from transformers import AutoTokenizer
from transformers.utils import PaddingStrategy

LENGTH = 128


def padded(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer(texts, padding=True, return_tensors="pt")  # expect: TL503
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def padded_by_name(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer(texts, padding="longest", return_tensors="pt")  # expect: TL503
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def padded_by_strategy(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer(texts, padding=PaddingStrategy.LONGEST, return_tensors="pt")  # expect: TL503
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def padded_by_other_strategy(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer(texts, padding=PaddingStrategy.MAX_LENGTH, return_tensors="pt")
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def padded_to_length(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer(texts, padding="max_length", max_length=128, return_tensors="pt")
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def padded_to_multiple(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer(texts, padding=True, pad_to_multiple_of=128, return_tensors="pt")
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def padded_to_no_multiple(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer(texts, padding=True, pad_to_multiple_of=None, return_tensors="pt")  # expect: TL503
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def not_padded(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer(texts, padding=False, return_tensors="pt")
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def padded_with_number(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer(texts, padding=True, truncation=True, max_length=64, return_tensors="pt")  # expect: TL503
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def padded_with_setting(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer(texts, padding=True, truncation=True, max_length=model.config.length, return_tensors="pt")  # expect: TL503
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def padded_with_constant(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer(texts, padding=True, truncation=True, max_length=LENGTH, return_tensors="pt")  # expect: TL503
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def padded_with_no_length(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer(texts, padding=True, truncation=True, max_length=None, return_tensors="pt")  # expect: TL503
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def padded_one_text(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer("a text that is always the same", padding=True, return_tensors="pt")
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def padded_two_texts(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer(["one text", "another text"], padding=True, return_tensors="pt")
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()


def padded_with_a_text(model, optimizer, batches, name):
    tokenizer = AutoTokenizer.from_pretrained(name)
    device = xm.xla_device()
    for texts, labels in batches:
        tokens = tokenizer(["one text", texts], padding=True, return_tensors="pt")  # expect: TL503
        model(**tokens.to(device), labels=labels.to(device)).loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()
