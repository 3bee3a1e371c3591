# Modelled on: mlfoundations/open_clip (a function that gathers both, where there are several processes), here with nothing put
# back; Lightning modules that gather their embeddings in a step.
import lightning as L
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn


def gather_features(image_features, text_features, world_size):
    images = [torch.zeros_like(image_features) for _ in range(world_size)]
    texts = [torch.zeros_like(text_features) for _ in range(world_size)]
    dist.all_gather(images, image_features)  # expect: TL122
    dist.all_gather(texts, text_features)  # expect: TL122
    return torch.cat(images, dim=0), torch.cat(texts, dim=0)


class ClipLoss(nn.Module):
    def __init__(self, world_size):
        super().__init__()
        self.world_size = world_size

    def forward(self, image_features, text_features, logit_scale):
        if self.world_size > 1:
            all_images, all_texts = gather_features(image_features, text_features, self.world_size)
            per_image = logit_scale * all_images @ all_texts.T
        else:
            per_image = logit_scale * image_features @ text_features.T
        labels = torch.arange(per_image.shape[0])
        return (F.cross_entropy(per_image, labels) + F.cross_entropy(per_image.T, labels)) / 2


def train(model, loader, optimizer, args):
    loss_of = ClipLoss(args.world_size)
    for images, texts in loader:
        image_features, text_features, scale = model(images, texts)
        loss = loss_of(image_features, text_features, scale)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def concat_all_gather(tensor):
    if not dist.is_initialized():
        return tensor
    tensors = [torch.ones_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(tensors, tensor, async_op=False)  # expect: TL122
    return torch.cat(tensors, dim=0)


class Embedder(L.LightningModule):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.scale = nn.Parameter(torch.ones(()))

    def training_step(self, batch, batch_idx):
        one = F.normalize(self.encoder(batch[0]))
        other = F.normalize(self.encoder(batch[1]))
        logits = self.scale * concat_all_gather(one) @ concat_all_gather(other).T
        return F.cross_entropy(logits, torch.arange(len(logits)))
