"""What is captured, and what ran before."""

import torch


def capture(model, static_x):
    first, second = torch.cuda.CUDAGraph(), torch.cuda.CUDAGraph()
    with torch.cuda.graph(first):  # expect: TL571
        out = model(static_x)
    with torch.cuda.graph(second):  # expect: TL571
        other = model(static_x)
    return first, second, out, other
