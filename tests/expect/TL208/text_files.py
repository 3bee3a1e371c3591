"""Lines of files, as in wenet-e2e/wenet (tools), but without the question which worker reads them."""

import argparse
import gzip
import json

from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, paths, tokenizer):
        self.paths = paths
        self.tokenizer = tokenizer

    def __iter__(self):
        for path in self.paths:
            with gzip.open(path, "rt") as lines:
                for line in lines:
                    yield self.encode(json.loads(line))

    def encode(self, document):
        return self.tokenizer(document["text"])


def main(tokenizer):
    parser = argparse.ArgumentParser()
    parser.add_argument("--paths", nargs="+")
    parser.add_argument("--num-workers", type=int, default=8)
    args = parser.parse_args()
    return DataLoader(Lines(args.paths, tokenizer), batch_size=32, num_workers=args.num_workers)  # expect: TL208
