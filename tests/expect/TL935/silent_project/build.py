import torch


def build_optimizer(model, cfg):
    return torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay, betas=(cfg.beta, 0.999))
