"""A sampler that sets its own epoch when its iteration begins."""

from torch.utils.data import DataLoader, DistributedSampler


def train_batch(model, optimizer, batch):
    loss = model(batch).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item() < 0.1


class TellingSampler(DistributedSampler):
    """Tells itself."""

    def __iter__(self):
        self.set_epoch(self.passes)
        return super().__iter__()


def telling(dataset, model, optimizer, epochs):
    loader = DataLoader(dataset, 8, sampler=TellingSampler(dataset))
    for epoch in range(epochs):
        for batch in loader:
            train_batch(model, optimizer, batch)
