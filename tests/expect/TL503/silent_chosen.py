"""How it pads depends on where it runs, or on what somebody asks for."""

import torch_xla
from accelerate import Accelerator, DistributedType
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, default_collate


def main(model, optimizer, data, tokenizer, flags):
    accelerator = Accelerator()

    def by_platform(items):
        if accelerator.distributed_type == DistributedType.XLA:
            return tokenizer.pad(items, padding="max_length", max_length=128, return_tensors="pt")
        return tokenizer.pad(items, padding="longest", return_tensors="pt")

    def by_length(items):
        length = 128 if accelerator.distributed_type == DistributedType.XLA else None
        return tokenizer.pad(items, padding="longest", max_length=length, return_tensors="pt")

    def by_word(items):
        on_tpu = accelerator.distributed_type == DistributedType.XLA
        return tokenizer.pad(items, padding="max_length" if on_tpu else "longest", max_length=128, return_tensors="pt")

    def by_multiple(items):
        multiple = 16 if accelerator.mixed_precision == "fp8" else None
        return tokenizer.pad(items, padding="longest", pad_to_multiple_of=multiple, return_tensors="pt")

    for together in (by_platform, by_length, by_word, by_multiple):
        loader = DataLoader(data, batch_size=8, shuffle=True, collate_fn=together)
        model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
        for batch in loader:
            accelerator.backward(model(**batch).loss)
            optimizer.step()
            optimizer.zero_grad()


def fixed(model, optimizer, data, use_xla):
    collate = default_collate if use_xla else pad_sequence
    for batch in DataLoader(data, batch_size=8, drop_last=True, collate_fn=collate):
        model(batch.to("xla")).backward()
        optimizer.step()
        optimizer.zero_grad()
        torch_xla.sync()
