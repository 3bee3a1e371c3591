"""A script that also runs on XLA, as one of its branches says; its batches are prepared by a library."""

from accelerate import Accelerator, DistributedType
from torch.utils.data import DataLoader


def main(model, optimizer, data, tokenizer):
    accelerator = Accelerator()

    def together(items):
        return tokenizer.pad(items, padding="longest", return_tensors="pt")  # expect: TL503

    loader = DataLoader(data, batch_size=8, shuffle=True, collate_fn=together)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    if accelerator.distributed_type == DistributedType.TPU:
        model.tie_weights()
    for batch in loader:
        accelerator.backward(model(**batch).loss)
        optimizer.step()
        optimizer.zero_grad()


def by_size(model, optimizer, data, tokenizer):
    accelerator = Accelerator()

    def together(items):
        return tokenizer([item["text"] for item in items], padding=True, return_tensors="pt")  # expect: TL503

    size = 8 if accelerator.distributed_type == DistributedType.XLA else 16
    loader = accelerator.prepare(DataLoader(data, batch_size=size, collate_fn=together))
    for batch in loader:
        accelerator.backward(model(**batch).loss)
        optimizer.step()
        optimizer.zero_grad()
