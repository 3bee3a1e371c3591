"""Nothing is gathered as well."""

import torch
import torch.distributed as dist


def boxes(image):
    return [number for number, value in enumerate(image.tolist()) if value > 0.5]


def collect(image):
    found = boxes(image)
    everywhere = [None] * dist.get_world_size()
    dist.all_gather_object(everywhere, found)
    return everywhere


def main():
    image = torch.zeros(3)
    image[0] = 1.0 - dist.get_rank()
    return collect(image)
