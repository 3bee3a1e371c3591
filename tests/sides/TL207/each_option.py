"""Each option of workers, on, off or unknown, and how the number of workers is written."""

from torch.utils.data import DataLoader


def prefetch(dataset):
    return DataLoader(dataset, prefetch_factor=2)  # expect: TL207


def prefetch_none(dataset):
    return DataLoader(dataset, prefetch_factor=None)


def context(dataset):
    return DataLoader(dataset, multiprocessing_context="spawn")  # expect: TL207


def timeout(dataset):
    return DataLoader(dataset, timeout=30)  # expect: TL207


def no_timeout(dataset):
    return DataLoader(dataset, timeout=0)


def persistent(dataset):
    return DataLoader(dataset, persistent_workers=True, num_workers=0)  # expect: TL207


def not_persistent(dataset):
    return DataLoader(dataset, persistent_workers=False, num_workers=0)


def persistent_by_setting(dataset, args):
    return DataLoader(dataset, persistent_workers=args.keep, num_workers=0)


def persistent_by_test(dataset):
    workers = 0
    return DataLoader(dataset, persistent_workers=workers > 0, num_workers=workers)


def persistent_by_wrong_test(dataset):
    workers = 0
    return DataLoader(dataset, persistent_workers=workers >= 0, num_workers=workers)  # expect: TL207


def by_position(dataset):
    return DataLoader(dataset, 4, False, None, None, 0, prefetch_factor=2)  # expect: TL207


def some_by_position(dataset):
    return DataLoader(dataset, 4, False, None, None, 2, prefetch_factor=2)


def either_none(dataset, fast):
    return DataLoader(dataset, num_workers=0 if fast else 0, prefetch_factor=2)  # expect: TL207


def either(dataset, fast):
    return DataLoader(dataset, num_workers=4 if fast else 0, prefetch_factor=2)


def of_the_caller(dataset, count):
    return DataLoader(dataset, num_workers=count, persistent_workers=True, timeout=20)  # expect: TL207


def gives_none(dataset):
    return of_the_caller(dataset, 0)


def of_another_caller(dataset, count):
    return DataLoader(dataset, num_workers=count, persistent_workers=True)  # expect: TL207


def gives_no_number(dataset):
    return of_another_caller(dataset, 0)


def by_text(dataset):
    return DataLoader(dataset, num_workers="0", persistent_workers=True)
