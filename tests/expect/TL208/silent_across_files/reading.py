from dividing import Divided


class Corpus(Divided):
    def __init__(self, paths):
        self.paths = paths

    def __iter__(self):
        first, step = self.part()
        for path in self.paths[first::step]:
            with open(path) as lines:
                yield from lines
