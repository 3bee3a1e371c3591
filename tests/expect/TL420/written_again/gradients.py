import torch


def clip_grad_norm_(parameters, max_norm, norm_type=2.0):
    """As the library does it; returns 0 where there are no gradients."""
    parameters = list(parameters)
    grads = [p.grad for p in parameters if p.grad is not None]
    if not grads:
        return torch.tensor(0.0)
    total = torch.norm(torch.stack([torch.norm(grad.detach(), norm_type) for grad in grads]), norm_type)
    factor = torch.clamp(max_norm / (total + 1e-6), max=1.0)
    for grad in grads:
        grad.detach().mul_(factor)
    return total


def clip_grad_value_(parameters, clip_value):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.grad.data.clamp_(min=-clip_value, max=clip_value)


def unscaling(parameters, max_norm, scaler, optimizer):
    scaler.unscale_(optimizer)
    return clip_grad_norm_(parameters, max_norm)
