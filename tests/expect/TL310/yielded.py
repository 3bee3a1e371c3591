import torch
from torch import nn


class Extractor:
    def __init__(self, cfg):
        self.device = torch.device("cuda")
        self.backbone = nn.Sequential(nn.Conv2d(3, 64, 3), nn.ReLU(), nn.Flatten()).to(self.device).eval()
        self.cfg = cfg

    @torch.no_grad()
    def features(self, loader):
        for images, names in loader:
            yield names, self.backbone(images.to(self.device))

    def extract(self, loader):
        out, index = [], []
        for names, feats in self.features(loader):
            index += names
            out.append(feats)  # expect: TL310
        return index, torch.cat(out)


def main(cfg, loader):
    index, features = Extractor(cfg).extract(loader)
    torch.save({"index": index, "features": features}, cfg.output)
