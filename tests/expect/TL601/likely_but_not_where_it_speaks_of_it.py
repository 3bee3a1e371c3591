"""Arguments that are handed on with ``**``, in a file that puts the keyword among them."""
# Modelled on huggingface/accelerate.

import io

import torch

SAFELY = {"weights_only": True} if torch.__version__ >= "1.13" else {}


def at_the_top(path):
    return torch.load(path, **SAFELY)


def here(path, **options):
    options["weights_only"] = True
    return torch.load(path, **options)


def bytes_are_not_concerned(client, name):
    return torch.load(io.BytesIO(client.get(name)))  # expect-likely: TL601
