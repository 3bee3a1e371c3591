"""Layers that are replaced, and models that are made anew, behind the back of their optimizer."""

import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.nn.utils import weight_norm
from torch.optim import SGD, Adam, AdamW
from torchvision.models.detection import fasterrcnn_resnet50_fpn
from torchvision.models.detection.faster_rcnn import FastRCNNPredictor
from transformers import AutoModelForSequenceClassification, get_linear_schedule_with_warmup


def detector(loader, classes):
    model = fasterrcnn_resnet50_fpn(weights="DEFAULT")
    trainable = [p for p in model.parameters() if p.requires_grad]
    optimizer = SGD(trainable, lr=0.005, momentum=0.9)
    model.roi_heads.box_predictor = FastRCNNPredictor(1024, classes)  # expect: TL709
    for images, targets in loader:
        loss = sum(model(images, targets).values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def last_of_several(net, loader, device):
    optimizer = Adam(filter(lambda p: p.requires_grad, net.parameters()), lr=1e-4)
    net.classifier[6] = nn.Linear(4096, 2)  # expect: TL709
    net = net.to(device)
    for x, y in loader:
        optimizer.zero_grad()
        nn.CrossEntropyLoss()(net(x), y).backward()
        optimizer.step()


def one_step(model, optimizer, batch):
    optimizer.zero_grad()
    loss = model(batch).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


def stepped_in_a_helper(model, loader, features):
    optimizer = AdamW([{"params": model.encoder.parameters()}, {"params": model.head.parameters(), "lr": 1e-3}], lr=1e-5)
    if features:
        model.head = nn.Sequential(nn.Linear(features, 64), nn.ReLU(), nn.Linear(64, 2))  # expect: TL709
    for batch in loader:
        one_step(model, optimizer, batch)


def sentences(loader, tokenizer):
    model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased")
    decayed = [p for n, p in model.named_parameters()]
    optimizer = AdamW(decayed, lr=2e-5)
    scheduler = get_linear_schedule_with_warmup(optimizer, 0, 1000)
    tokenizer.add_tokens(["<user>"])
    model.resize_token_embeddings(len(tokenizer))  # expect: TL709
    for batch in loader:
        model(**batch).loss.backward()
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()


def normed(decoder, loader):
    optimizer = Adam(decoder.parameters())
    weight_norm(decoder.out)  # expect: TL709
    for x in loader:
        optimizer.zero_grad()
        decoder(x).mean().backward()
        optimizer.step()


def assigned(model, path, loader):
    optimizer = SGD(model.parameters(), lr=0.1)
    model.load_state_dict(torch.load(path, weights_only=True), assign=True)  # expect: TL709
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def loaded(path, loader):
    model = torch.load("start.pt")
    optimizer = SGD(model.parameters(), lr=0.1)
    model = torch.load(path)  # expect: TL709
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def wrapped_first(model, loader, classes, rank):
    model = DDP(model.to(rank), device_ids=[rank])
    model.module.fc = nn.Linear(512, classes)  # expect: TL709
    optimizer = SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


class Classifier(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Linear(16, 16)
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        return self.head(self.body(x))

    def new_head(self, classes):
        self.head = nn.Linear(16, classes)  # expect: TL709


class Task:
    def __init__(self):
        self.net = Classifier(10)
        self.opt = Adam(self.net.parameters())

    def next_task(self, loader, classes):
        self.net.new_head(classes)
        self.fit(loader)

    def fit(self, loader):
        for x in loader:
            self.opt.zero_grad()
            self.net(x).mean().backward()
            self.opt.step()


class Twice:
    def __init__(self, classes):
        self.model = Classifier(10)
        self.optimizer = Adam(self.model.parameters())
        self.model = Classifier(classes)  # expect: TL709

    def fit(self, loader):
        for x in loader:
            self.optimizer.zero_grad()
            self.model(x).mean().backward()
            self.optimizer.step()
