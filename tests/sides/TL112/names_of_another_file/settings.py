"""Folders, some of which a process chooses for itself."""

import os
import tempfile

OUTPUT = "runs/latest"
SCRATCH = tempfile.mkdtemp()
LOCAL_RANK = int(os.environ.get("LOCAL_RANK", 0))
SHARE = f"runs/share{LOCAL_RANK}"


def newest():
    return "newest.pt"


class Places:
    root = "runs/places"
    per_rank = f"runs/{LOCAL_RANK}"
    shelf = tempfile.mkdtemp()

    @property
    def weights(self):
        return "weights.pt"

    @property
    def mine(self):
        return f"mine-{os.getpid()}.pt"

    def name(self):
        return "name.pt"
