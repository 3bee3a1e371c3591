"""Accelerate and DeepSpeed run the backward pass."""

import deepspeed
import torch
from accelerate import Accelerator


def prepared(network, loader, optimizer, epochs):
    accelerator = Accelerator()
    network, optimizer, loader = accelerator.prepare(network, optimizer, loader)
    for _ in range(epochs):
        for batch in loader:
            loss = network(**batch).loss
            if torch.isnan(loss).any():
                optimizer.zero_grad()
                continue
            accelerator.backward(loss)  # expect: TL103
            optimizer.step()


def engine(args, network, loader):
    model, _, _, _ = deepspeed.initialize(args=args, model=network, model_parameters=network.parameters())
    for batch in loader:
        loss = model(batch)
        if loss.item() > 100.0:
            continue
        model.backward(loss)  # expect: TL103
        model.step()
