from torch.utils.data import DataLoader


def make(dataset, shuffle, workers=0):
    return DataLoader(  # expect: TL207
        dataset,
        shuffle=shuffle,
        num_workers=workers,
        prefetch_factor=4,
        persistent_workers=True,
    )
