"""Steps of frameworks: the loss is computed from what the module itself returns."""

import lightning.pytorch as pl
import torch
import torch.nn.functional as F
from torch import nn


class Digits(pl.LightningModule):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Linear(28 * 28, width)
        self.second = nn.Linear(width, 10)

    def forward(self, images):
        hidden = torch.relu(self.first(images.flatten(1)))
        return F.softmax(self.second(hidden), dim=1)  # expect: TL410

    def training_step(self, batch, index):
        images, labels = batch
        loss = F.cross_entropy(self(images), labels)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, index):
        images, labels = batch
        self.log("valid_loss", F.cross_entropy(self(images), labels))


class Shared(pl.LightningModule):
    def __init__(self, body):
        super().__init__()
        self.body = body
        self.criterion = nn.CrossEntropyLoss()

    def step(self, batch, name):
        features, labels = batch
        probabilities = self.body(features).softmax(dim=-1)
        loss = self.criterion(probabilities, labels)  # expect: TL410
        self.log(name, loss)
        return loss

    def training_step(self, batch, index):
        return self.step(batch, "train")


class WithLoss(nn.Module):
    """As the models of transformers do, it computes its loss when it is given labels."""

    def __init__(self, encoder, size, labels):
        super().__init__()
        self.encoder = encoder
        self.classifier = nn.Linear(size, labels)
        self.softmax = nn.Softmax(dim=-1)
        self.num_labels = labels

    def forward(self, input_ids, attention_mask=None, labels=None):
        pooled = self.encoder(input_ids, attention_mask=attention_mask)[1]
        logits = self.softmax(self.classifier(pooled))
        loss = None
        if labels is not None:
            criterion = nn.CrossEntropyLoss()
            loss = criterion(logits.view(-1, self.num_labels), labels.view(-1))  # expect: TL410
        return {"loss": loss, "logits": logits}
