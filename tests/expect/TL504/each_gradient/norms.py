import torch


def clip_grad_norm_(params, max_norm):
    params = list(params)
    grads = [p.grad.detach() for p in params if p.grad is not None]
    device = torch.device("cpu")
    if torch.cuda.is_available():
        device = torch.cuda.current_device()
    total = torch.norm(torch.stack([torch.norm(g, p=2).to(device) for g in grads]))  # expect: TL504
    for g in grads:
        g.mul_((max_norm / (total + 1e-6)).clamp(max=1))
    return total


def norm_of(model):
    total = 0.0
    for p in model.parameters():
        if p.grad is not None:
            total += p.grad.data.norm(2).item() ** 2  # expect: TL504
    return total**0.5


class Optimizer:
    @classmethod
    def build(cls, config):
        return config.make(cls)

    def clip_grad_norm(self, most):
        return clip_grad_norm_(self.parameters, most)

    def step(self):
        self.optimizer.step()
