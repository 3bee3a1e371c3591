from torch.utils.data import DataLoader


def make(dataset, shuffle, workers=0, **options):
    if workers == 0:
        options["persistent_workers"] = False
    return DataLoader(dataset, shuffle=shuffle, num_workers=workers, **options)
