"""What is captured, and what ran before."""

import torch


def capture(model, static_x):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):  # expect: TL571
        out = model[0](static_x)
    return graph, out
