"""With O2 apex's optimizer has copies of the parameters: the model's own gradients are nobody's."""

import argparse

import torch
from apex import amp


def main(model, criterion, loader):
    parser = argparse.ArgumentParser()
    parser.add_argument("--clip", type=float, default=400.0)
    args = parser.parse_args()
    optimizer = torch.optim.SGD(model.parameters(), lr=3e-4)
    model, optimizer = amp.initialize(model, optimizer, opt_level="O2")
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        optimizer.zero_grad()
        with amp.scale_loss(loss, optimizer) as scaled_loss:
            scaled_loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)  # expect: TL402
        optimizer.step()
