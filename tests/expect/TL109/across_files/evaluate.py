"""The loop."""

from meters import Meter
from shards import mine
from tqdm import tqdm


class Evaluation:
    def __init__(self, paths, score):
        self.paths = mine(paths)
        self.score = score
        self.meter = Meter()

    def run(self):
        for path in tqdm(self.paths):  # expect: TL109
            self.meter.update(self.score(path))
        return self.meter.values
