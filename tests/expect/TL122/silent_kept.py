# Modelled on: mlfoundations/open_clip, LAION-AI/CLAP (local loss, own part put back), salesforce/ALBEF, facebookresearch/vissl
# (keys of a slow encoder), mosaicml/llm-foundry (a list), texttron/tevatron (put back, or left out where there is one process),
# salesforce/LAVIS (a gather with a gradient), NVIDIA/Megatron-LM (only reported).
import torch
import torch.distributed as dist
import torch.distributed.nn
import torch.nn.functional as F
from torch import nn


def gather_features(image_features, text_features, local_loss, gather_with_grad, rank, world_size):
    if gather_with_grad:
        all_images = torch.cat(torch.distributed.nn.all_gather(image_features), dim=0)
        all_texts = torch.cat(torch.distributed.nn.all_gather(text_features), dim=0)
    else:
        images = [torch.zeros_like(image_features) for _ in range(world_size)]
        texts = [torch.zeros_like(text_features) for _ in range(world_size)]
        dist.all_gather(images, image_features)
        dist.all_gather(texts, text_features)
        if not local_loss:
            images[rank] = image_features
            texts[rank] = text_features
        all_images, all_texts = torch.cat(images, dim=0), torch.cat(texts, dim=0)
    return all_images, all_texts


class Loss(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args

    def forward(self, image_features, text_features, scale):
        args = self.args
        images, texts = gather_features(image_features, text_features, args.local, args.grad, args.rank, args.world_size)
        if args.local:
            per_image, per_text = scale * image_features @ texts.T, scale * text_features @ images.T
        else:
            per_image = scale * images @ texts.T
            per_text = per_image.T
        labels = torch.arange(len(per_image))
        return F.cross_entropy(per_image, labels) + F.cross_entropy(per_text, labels)


def dist_gather_tensor(x, rank):
    if x is None:
        return None
    every = [torch.empty_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(every, x.contiguous())
    every[rank] = x
    return torch.cat(every, dim=0)


def copies(x):
    every = [torch.empty_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(every, x)
    return torch.cat(every, dim=0)


def train(model, slow, loader, optimizer, args):
    loss_of = Loss(args)
    for images, texts, labels in loader:
        image_features, text_features, scale = model(images, texts)
        loss = loss_of(image_features, text_features, scale)
        query = dist_gather_tensor(image_features, args.rank)
        with torch.no_grad():
            keys = slow(texts)
        loss = loss + F.cross_entropy(query @ copies(keys).T, copies(labels))
        every_loss = copies(loss.detach())
        loss = loss / copies(labels).numel()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(every_loss.mean(), copies(text_features).std())
