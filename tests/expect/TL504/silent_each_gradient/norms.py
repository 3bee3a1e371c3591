import torch


def clip_grad_norm_(params, max_norm):
    grads = [p.grad.detach() for p in params if p.grad is not None]
    if torch.cuda.is_available():
        device = torch.cuda.current_device()
    elif grads[0].device.type == "xla":
        device = grads[0].device
    else:
        device = torch.device("cpu")
    return torch.norm(torch.stack([torch.norm(g, p=2).to(device) for g in grads]))


def norms_of(model):
    return [p.grad.norm().item() for p in model.parameters() if p.grad is not None]


def look_at(model, debug):
    if debug:
        for p in model.parameters():
            print(p.grad.norm().item())


def step_of_others(model, optimizer):
    total = sum(p.grad.norm().item() ** 2 for p in model.parameters())
    if total < 100:
        optimizer.step()
