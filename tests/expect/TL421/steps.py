"""The sigmoid beside the loss, in a helper, in the step of a framework; the loss under another name."""

import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torchvision.ops import sigmoid_focal_loss


class Tagger(pl.LightningModule):
    def __init__(self, body):
        super().__init__()
        self.body = body
        self.loss_func = F.binary_cross_entropy_with_logits

    def forward(self, features):
        scores = self.body(features)
        return torch.sigmoid(scores)  # expect: TL421

    def loss(self, logits, labels):
        return self.loss_func(input=logits, target=labels)

    def training_step(self, batch, index):
        features, labels = batch
        scores = self.forward(features)
        return self.loss(scores, labels.view(-1, 1).type_as(features))


def focal(detector, images, labels):
    return sigmoid_focal_loss(detector(images).sigmoid(), labels, reduction="mean")  # expect: TL421


def masks_and_boxes(net, batch, weights):
    masks, boxes = net(batch["image"])
    masks = F.sigmoid(masks)
    losses = {
        "mask": F.binary_cross_entropy_with_logits(masks, batch["mask"]),  # expect: TL421
        "box": F.l1_loss(boxes, batch["box"]),
    }
    sum(losses[name] * weights[name] for name in losses).backward()


def links(encode, edges, labels):
    """The product of two nodes says how likely an edge is."""
    nodes = encode(edges)
    likely = torch.sigmoid((nodes[edges[0]] * nodes[edges[1]]).sum(dim=-1))
    F.binary_cross_entropy_with_logits(likely, labels).backward()  # expect: TL421
