"""Loads that unpickle unless something that is not in sight forbids it."""
# Modelled on open-mmlab/mmcv, deepfakes/faceswap, meta-pytorch/opacus, determined-ai/determined, NVIDIA/DeepLearningExamples.

import io
import zipfile

import torch


def from_storage(client, name):
    buffer = io.BytesIO(client.get(name))
    return torch.load(buffer, map_location="cpu")  # expect-likely: TL601


def from_archive(path):
    with zipfile.ZipFile(path) as archive:
        return torch.load(io.BytesIO(archive.read("optimizer.pt")))  # expect-likely: TL601


def through_memory(module):
    with io.BytesIO() as buffer:
        torch.save(module, buffer)
        buffer.seek(0)
        return torch.load(buffer)


def with_options(path, **options):
    return torch.load(path, **options)  # expect-likely: TL601


def whatever_the_options(path, options):
    return torch.load(path, **(options or {}), weights_only=False)  # expect: TL601


class Renaming:
    def Unpickler(self, file, **options):
        return None


def with_a_module(path):
    module = Renaming()
    return torch.load(path, pickle_module=module)  # expect-likely: TL601
