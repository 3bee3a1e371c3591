"""A scaler that is there or not: the name holds one of two things."""

import torch


class Engine:
    def __init__(self, model, optimizer, amp=False):
        self.grad_scaler = None if not amp else torch.cuda.amp.GradScaler()
        self.model = model
        self.optimizer = optimizer.construct(model.parameters())

    def backward(self, loss):
        if self.grad_scaler is not None:
            self.grad_scaler.scale(loss).backward()
        else:
            loss.backward()

    def step(self):
        if self.grad_scaler is not None:
            self.grad_scaler.unscale_(self.optimizer)
            self.grad_scaler.step(self.optimizer)
            self.grad_scaler.update()
        else:
            self.optimizer.step()

    def save_checkpoint(self, checkpoint_dir, client_state):
        def save_state(state, name):
            torch.save(state, checkpoint_dir / f"{name}.pt")

        save_state(self.model.state_dict(), "model")
        save_state(self.optimizer.state_dict(), "optimizer")  # expect: TL603
        save_state(client_state, "trainer")

    def load_checkpoint(self, checkpoint_dir):
        self.model.load_state_dict(torch.load(checkpoint_dir / "model.pt"))
        self.optimizer.load_state_dict(torch.load(checkpoint_dir / "optimizer.pt"))
        return torch.load(checkpoint_dir / "trainer.pt")
