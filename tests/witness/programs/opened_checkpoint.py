"""A checkpoint that somebody else has made: reading it calls what it names."""

import os
import pickle
import tempfile

import torch


class Payload:
    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (self.folder,)


def made(folder):
    path = os.path.join(folder, "model.pt")
    torch.save({"model": Payload(os.path.join(folder, "ran"))}, path)
    return path


def load(count):
    ran = []
    for _ in range(count):
        folder = tempfile.mkdtemp()
        path = made(folder)
        try:
            torch.load(path, map_location="cpu", weights_only=False)  # expect: TL601
        except pickle.UnpicklingError:
            pass
        ran.append(os.path.isdir(os.path.join(folder, "ran")))
    return ran
