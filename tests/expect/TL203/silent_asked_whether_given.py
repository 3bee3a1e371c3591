"""What is not in the keywords is not passed on (PixArt-alpha)."""

from torch.utils.data import BatchSampler, DataLoader, SequentialSampler


def build(dataset, batch_size=256, shuffle=True, **kwargs):
    return (
        DataLoader(dataset, batch_sampler=kwargs["batch_sampler"])
        if "batch_sampler" in kwargs
        else DataLoader(dataset, batch_size=batch_size, shuffle=shuffle, **kwargs)
    )


def main(dataset):
    sampler = BatchSampler(SequentialSampler(dataset), 4, drop_last=False)
    return build(dataset, batch_sampler=sampler)
