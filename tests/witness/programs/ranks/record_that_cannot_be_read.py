"""A record that one rank cannot read costs it a round of reductions."""

import json

import torch
import torch.distributed as dist

RECORDS = {0: ['{"size": 1}', '{"size": 2}', '{"size": 3}'], 1: ['{"size": 4}', '{"size": ', '{"size": 6}']}


def main():
    records = RECORDS[dist.get_rank()]
    seen = []
    for record in records:
        try:
            size = json.loads(record)["size"]
        except ValueError:
            continue
        total = torch.tensor([size])
        dist.all_reduce(total)  # expect: TL103  # stuck: 0
        seen.append(total.item())
    return seen
