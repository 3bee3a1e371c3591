"""One step on such a state: the gradients are bounded while they are scaled."""

import torch
from state import TrainState


def step(state, tokens, criterion, limit):
    with torch.autocast("cuda", dtype=torch.float16):
        loss = criterion(state.model(tokens))
    state.optimizer.zero_grad()
    state.scaler.scale(loss).backward()
    torch.nn.utils.clip_grad_norm_(state.model.parameters(), limit)  # expect: TL402
    state.scaler.step(state.optimizer)
    state.scaler.update()
    state.step += 1


def main(model, loader, criterion):
    state = TrainState(model, 3e-4)
    for tokens in loader:
        step(state, tokens, criterion, 1.0)
