"""The main process evaluates, counts how often nothing got better, and leaves; the others go on with the next step."""

import argparse
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def train(args, model, loader, evaluate):
    model = DDP(model)
    step = 0
    best = 0.0
    patience = 0
    for epoch in range(args.epochs):
        for batch in loader:
            loss = model(batch).sum()
            loss.backward()  # expect: TL107
            step += 1
            if args.local_rank in [-1, 0] and step % args.every == 0:
                result = evaluate(model)
                if result > best:
                    best = result
                    patience = 0
                else:
                    patience += 1
                    if patience > args.patience:
                        return step
    return step
