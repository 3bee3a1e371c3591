"""How a sharded state is saved is kept by an object."""

import torch.distributed.checkpoint as dcp


class Writer:
    def __init__(self, write):
        self.write = write


def fit(model, optimizer, loader, folder):
    writer = Writer(dcp.save)
    for step, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        if step % 1000 == 0:
            writer.write({"model": model.state_dict()}, checkpoint_id=f"{folder}/{step}")  # expect: TL614
