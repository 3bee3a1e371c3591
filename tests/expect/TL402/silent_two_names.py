"""A scaler that the model keeps, and a loop that asks for it under a name of its own: without one nothing is scaled."""

import torch


class Distilled(torch.nn.Module):
    def __init__(self, student, half):
        super().__init__()
        self.student = student
        self.fp16_scaler = torch.amp.GradScaler() if half else None

    def backprop(self, loss):
        if self.fp16_scaler is not None:
            self.fp16_scaler.scale(loss).backward()
        else:
            loss.backward()

    def forward_backward(self, batch):
        loss = self.student(batch).mean()
        self.backprop(loss)
        return loss


def train(settings, network, loader):
    model = Distilled(network, settings.half).to("cuda")
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = model.fp16_scaler
    for batch in loader:
        optimizer.zero_grad(set_to_none=True)
        model.forward_backward(batch)
        if scaler is not None:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.student.parameters(), 3.0)
            scaler.step(optimizer)
            scaler.update()
        else:
            torch.nn.utils.clip_grad_norm_(model.student.parameters(), 3.0)
            optimizer.step()
