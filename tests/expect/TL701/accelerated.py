"""accelerate runs the backward pass; the gradients are still the script's to empty."""

from accelerate import Accelerator
from torch.optim import AdamW


def main(model, loader, schedule):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    optimizer = AdamW(model.parameters(), lr=5e-5)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for batch in loader:
        with accelerator.accumulate(model):
            loss = model(**batch).loss
            accelerator.backward(loss)
            optimizer.step()  # expect: TL701
