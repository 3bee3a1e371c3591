"""A project's own `dist.py` that wraps the library under the library's names."""

import dist


def epoch_end(loss):
    if dist.is_primary():
        dist.allreduce(loss)  # expect: TL101
        print(loss)
    if dist.is_primary():
        dist.log("not a collective, whatever the module is called")
