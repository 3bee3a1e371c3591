"""Evaluation whose forward pass is timed by a meter; what follows waits for it."""

import time
from collections import defaultdict

import torch


class Engine:
    def __init__(self, model, use_gpu):
        self.model = model.cuda() if use_gpu else model
        self.use_gpu = use_gpu

    def extract(self, images):
        return self.model(images)

    @torch.no_grad()
    def evaluate(self, loader, meter):
        self.model.eval()

        def features_of(loader):
            found = []
            for images, _ in loader:
                if self.use_gpu:
                    images = images.cuda()
                end = time.time()
                features = self.extract(images)
                meter.update(time.time() - end)  # expect: TL802
                found.append(features.cpu())
            return torch.cat(found)

        return features_of(loader)


def one_by_one(net, paths, read):
    net.cuda().eval()
    timer = defaultdict(float)
    for path in paths:
        image = torch.from_numpy(read(path)).cuda()
        start = time.time()
        score, geometry = net(image.unsqueeze(0))
        timer["net"] += time.time() - start  # expect: TL802
        yield score.cpu().numpy(), geometry.cpu().numpy()


def by_kind(model, converter, loader, kind, device):
    total = 0.0
    for images, labels in loader:
        images = images.to(device)
        begin = time.monotonic()
        if kind == "ctc":
            preds = model(images, labels)
            forward = time.monotonic() - begin  # expect: TL802
        else:
            preds = model(images, labels, is_train=False)
            forward = time.monotonic() - begin  # expect: TL802
        total += forward
        print(converter.decode(preds.argmax(2).tolist()))
    return total
