import torch


class Task:
    def shape(self, x):
        return x.shape

    def score(self, loader):
        self.model.eval()  # expect: TL705
        with torch.no_grad():
            for x, y in loader:
                print((self.model(x).argmax(-1) == y).float().mean())
