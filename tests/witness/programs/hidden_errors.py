"""A compiler that fails, and is said to: with the setting, nothing but the speed tells."""

import torch
import torch._dynamo

torch._dynamo.config.suppress_errors = True  # expect: TL561


def failing(graph, inputs):
    raise RuntimeError("cannot compile this")


def run(calls):
    step = torch.compile(lambda x: x * 2, backend=failing)
    try:
        return float(sum(step(torch.ones(())) for _ in range(calls)))
    except Exception as error:
        return type(error).__name__
