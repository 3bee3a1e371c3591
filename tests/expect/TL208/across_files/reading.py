from torch.utils.data import IterableDataset


class Corpus(IterableDataset):
    def __init__(self, path, length, endless=True):
        self.path = path
        self.length = length
        self.endless = endless

    def __iter__(self):
        buffer = []
        while True:
            for tokens in self.documents():
                buffer += tokens
                while len(buffer) >= self.length:
                    yield buffer[: self.length]
                    buffer = buffer[self.length :]
            if not self.endless:
                return

    def documents(self):
        with open(self.path) as file:
            for line in file:
                yield [ord(letter) for letter in line]
