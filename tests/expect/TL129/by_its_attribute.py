"""As in build-nanogpt before it was mended: what the wrapper asks in its forward pass is set behind that."""

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def compute_loss(model, batch):
    return F.cross_entropy(model(batch["x"]), batch["y"])


def by_attribute(make, loader, steps, window, device, ddp):
    model = make().cuda()
    if ddp:
        model = DDP(model, device_ids=[device])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for step in range(steps):
        optimizer.zero_grad()
        for i in range(window):
            x, y = loader.next_batch()
            with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
                logits, loss = model(x, y)
            loss = loss / window
            if ddp:
                model.require_backward_grad_sync = i == window - 1
            loss.backward()  # expect: TL129
        optimizer.step()


class ByAttribute:
    def __init__(self, net, rank):
        self.model = DDP(net, device_ids=[rank])
        self.scaler = torch.amp.GradScaler()

    def run(self, batches):
        for number, batch in enumerate(batches):
            loss = compute_loss(self.model, batch)
            self.model.require_backward_grad_sync = number == len(batches) - 1
            self.scaler.scale(loss).backward()  # expect: TL129

    def run_as_it_should(self, batches):
        for number, batch in enumerate(batches):
            self.model.require_backward_grad_sync = number == len(batches) - 1
            loss = compute_loss(self.model, batch)
            self.scaler.scale(loss).backward()

    def run_as_before(self, batches):
        for number, batch in enumerate(batches):
            self.model.require_backward_grad_sync = False
            loss = compute_loss(self.model, batch)
            self.model.require_backward_grad_sync = True
            self.scaler.scale(loss).backward()

    def run_of_another(self, other, batches):
        for batch in batches:
            loss = compute_loss(other, batch)
            self.model.require_backward_grad_sync = False
            loss.backward()
