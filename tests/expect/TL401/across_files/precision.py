"""What the project does about precision: contexts that it hands out."""

import contextlib

import torch


def half_context(**options):
    if torch.cuda.is_available():
        return torch.amp.autocast("cuda", **options)
    return contextlib.nullcontext()


@contextlib.contextmanager
def half_region(flag):
    with torch.cuda.amp.autocast(enabled=flag):
        yield


class Mixed:
    """Opens an autocast for as long as it is entered."""

    def __init__(self):
        self.inner = torch.cuda.amp.autocast()  # expect: TL401

    def __enter__(self):
        self.inner.__enter__()
        return self

    def __exit__(self, *error):
        return self.inner.__exit__(*error)
