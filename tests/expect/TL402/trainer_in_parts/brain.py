"""A trainer whose check of the gradients also clips them; only the branch without half precision is right."""

import torch


class Brain:
    def __init__(self, modules, opt_class, half, limit):
        self.modules, self.half, self.limit = modules, half, limit
        self.optimizer = opt_class(modules.parameters())
        self.scaler = torch.cuda.amp.GradScaler()

    def compute(self, batch):
        raise NotImplementedError

    def check_gradients(self, loss):
        if not torch.isfinite(loss):
            return False
        torch.nn.utils.clip_grad_norm_((p for p in self.modules.parameters()), self.limit)
        return True

    def fit_batch(self, batch):
        if self.half:
            self.optimizer.zero_grad()
            with torch.cuda.amp.autocast():
                loss = self.compute(batch)
            self.scaler.scale(loss).backward()
            if self.check_gradients(loss):  # expect: TL402
                self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            loss = self.compute(batch)
            loss.backward()
            if self.check_gradients(loss):
                self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.detach()
