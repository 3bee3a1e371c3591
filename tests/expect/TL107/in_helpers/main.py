import os

from building import bare, build, plain
from steps import epoch, warm_up
from torch import nn


def main(make, batches, optimizer):
    rank = int(os.environ["RANK"])
    model = build(make, rank, True)
    criterion = nn.CrossEntropyLoss()
    if rank == 0:
        warm_up(model, batches[0], criterion)  # expect: TL107
    epoch(model, batches, criterion, optimizer)
    if rank == 0:
        print(warm_up(plain(model), batches[0], criterion), warm_up(bare(model), batches[0], criterion))
