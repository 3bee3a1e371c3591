"""Clipping with a bound that is multiplied by the scale: right for a norm."""

import torch


def clip_gradients(model, step, writer, config, scale=1.0):
    bound = config.training.max_grad_l2_norm
    if bound is not None:
        bound = bound * scale
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), bound)
        if writer is not None:
            writer.add_scalars({"grad_norm": norm}, step)
