import os

import torch


class Cache:
    def __init__(self, folder):
        self.path = os.path.join(folder, "tokens.pt")

    def build(self, texts, tokenize):
        torch.save([tokenize(text) for text in texts], self.path)  # expect: TL111

    def load(self):
        return torch.load(self.path)
