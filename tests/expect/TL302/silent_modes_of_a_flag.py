"""A total in a block whose mode nobody knows, of a loss from outside of it; and a block that only the last manager opens."""

import torch


def summed_in_a_block_of_its_own(model, loader, optimizer, quiet):
    total = 0.0
    for batch in loader:
        loss = model(batch).mean()
        with torch.set_grad_enabled(not quiet):
            total += loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return total


def the_last_manager_turns_them_off(model, loader, optimizer):
    total = 0.0
    for batch in loader:
        loss = model(batch).mean()
        with torch.enable_grad() and torch.no_grad():
            total += loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return total
