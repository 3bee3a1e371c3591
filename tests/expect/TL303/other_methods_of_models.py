import torch
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 2)
        self.decoder = nn.Linear(2, 8)

    def forward(self, x):
        return self.decoder(self.encoder(x))

    def embedded(self, x):
        return self.latent(x).tanh()

    def latent(self, x):
        return self.encoder(x)

    @torch.no_grad()
    def quietly(self, x):
        return self.encoder(x)

    def width(self, x):
        return x.shape[-1]


class Analysis:
    def __init__(self):
        self.model = Autoencoder()

    def embed(self, loader):
        self.model.eval()
        found = []
        for batch in loader:
            found.append(self.model.embedded(batch).argmax(1).tolist())  # expect: TL303
        return found

    def embed_quietly(self, loader):
        self.model.eval()
        found = []
        for batch in loader:
            found.append(self.model.quietly(batch).tolist())
        return found

    @torch.inference_mode()
    def embed_in_inference_mode(self, loader):
        self.model.eval()
        return [self.model.embedded(batch).tolist() for batch in loader]

    def widths(self, loader):
        self.model.eval()
        return [self.model.width(batch) for batch in loader]

    def tuned(self, loader, optimizer):
        self.model.eval()
        for batch in loader:
            optimizer.zero_grad()
            self.model.embedded(batch).sum().backward()
            optimizer.step()


def main(loader, other):
    done = Analysis()
    optimizer = torch.optim.SGD(done.model.parameters(), lr=0.1)
    return done.embed(loader), done.embed_quietly(loader), done.embed_in_inference_mode(loader), done.tuned(other, optimizer)
