"""As in milesial/Pytorch-UNet, KaiyangZhou/deep-person-reid, thuml/Time-Series-Library, jwyang/faster-rcnn.pytorch, pytorch/examples."""

import os

import torch
import torch.nn as nn
from torch.nn import DataParallel
from torch.nn import DataParallel as Parallel
from torch.nn.parallel.data_parallel import DataParallel as Replicas


def build(args, net):
    os.environ["CUDA_VISIBLE_DEVICES"] = args.gpus
    if args.mGPUs:
        net = nn.DataParallel(net)  # expect: TL116
    return net.cuda()


class Experiment:
    def __init__(self, args, model):
        self.args = args
        self.model = self._build(model).to(args.device)

    def _build(self, model):
        if self.args.use_multi_gpu and self.args.use_gpu:
            model = nn.DataParallel(model, device_ids=self.args.device_ids)  # expect: TL116
        return model

    def train(self, loader, optimizer):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(self.model(x), y).backward()
            optimizer.step()


def wrapped(model, gpus):
    model.features = torch.nn.DataParallel(model.features)  # expect: TL116
    model = DataParallel(model, gpus) if len(gpus) > 1 else model  # expect: TL116
    return Parallel(module=model, device_ids=[0, 1])  # expect: TL116


def generators(netG, netD, device):
    netG, netD = Replicas(netG), Replicas(netD, list(range(torch.cuda.device_count())))  # expect: TL116, TL116
    return netG.to(device), netD.to(device)


def evaluate(model, loader, several):
    if several:
        model = torch.nn.DataParallel(model)
    model.eval()
    with torch.no_grad():
        return [model(x).argmax(1) for x in loader]


def train_and_test(model, loader, held_out, optimizer, several):
    if several:
        model = torch.nn.DataParallel(model)  # expect: TL116
    for x in loader:
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()
    model = torch.load("best.pt", weights_only=False)
    if several:
        model = torch.nn.DataParallel(model)
    with torch.no_grad():
        return [model(x).argmax(1) for x in held_out]


def in_each_round(models, loader, several):
    for model in models:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        wrapped = torch.nn.DataParallel(model)  # expect: TL116
        for x in loader:
            optimizer.zero_grad()
            wrapped(x).sum().backward()
            optimizer.step()


def wrapped_for_others(model):
    return torch.nn.DataParallel(model).cuda()  # expect: TL116


def scores(model, loader):
    model = torch.nn.DataParallel(model)
    kept = {}
    with torch.no_grad():
        for x, key in loader:
            kept[key] = model(x)
    return kept, model(x)


def on_all_gpus_or_none(model, loader, optimizer):
    if torch.cuda.is_available():
        model = nn.DataParallel(model).cuda()  # expect: TL116
    else:
        model = nn.DataParallel(model)  # for the names of its parameters
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
