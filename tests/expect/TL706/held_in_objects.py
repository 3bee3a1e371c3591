"""Windows of a trainer with a list of optimizers, of Fabric, of a loop that leaves early where no step is due."""

import torch
import torch.nn.functional as F
from lightning.fabric import Fabric
from torch.cuda.amp import GradScaler


class Finetuner:
    """The number of seen batches is the trainer's own; the steps are made in a method."""

    def __init__(self, unet, text_encoder, grad_accum):
        self.unet, self.text_encoder, self.grad_accum = unet, text_encoder, grad_accum
        self.optimizers = [torch.optim.AdamW(unet.parameters()), torch.optim.AdamW(text_encoder.parameters())]
        self.scaler = GradScaler(enabled=True, init_scale=2.0**17)

    def step(self, loss, step, total):
        self.scaler.scale(loss).backward()  # expect: TL706
        if (step + 1) % self.grad_accum == 0 or step == total - 1:
            for optimizer in self.optimizers:
                self.scaler.step(optimizer)
            self.scaler.update()
            for optimizer in self.optimizers:
                optimizer.zero_grad(set_to_none=True)

    def fit(self, loader):
        for step, (latents, captions) in enumerate(loader):
            with torch.cuda.amp.autocast():
                loss = F.mse_loss(self.unet(latents, self.text_encoder(captions)).float(), latents.float(), reduction="mean")
            self.step(loss, step, len(loader))


def by_fabric(model, loader, gradient_accumulation_iters):
    """Fabric does not divide: it only keeps the ranks from talking in between."""
    fabric = Fabric(accelerator="cuda", devices=4)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    model, optimizer = fabric.setup(model, optimizer)
    for number, (tokens, targets) in enumerate(loader):
        accumulating = (number + 1) % gradient_accumulation_iters != 0
        with fabric.no_backward_sync(model, enabled=accumulating):
            logits = model(tokens)
            loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
            fabric.backward(loss)  # expect: TL706
        if not accumulating:
            fabric.clip_gradients(model, optimizer, max_norm=1.0)
            optimizer.step()
            optimizer.zero_grad()


def continued(model, criterion, loader, optimizer, accum_steps):
    """The rest of the body is for the batch at the end of a window."""
    model.train()
    for number, (data, target) in enumerate(loader):
        need_update = (number + 1) % accum_steps == 0
        output = model(data)
        loss = criterion(output, target)
        loss.backward()  # expect: TL706
        if not need_update:
            continue
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
