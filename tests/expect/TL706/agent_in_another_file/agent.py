"""An agent that counts the backward passes, and steps when there are enough of them."""

import torch


class Agent:
    def __init__(self, model, opt):
        self.model, self.opt = model, opt
        self.optimizer = torch.optim.Adam(model.parameters(), lr=opt["learningrate"])
        self.counted = 0

    def backward(self, loss):
        update_freq = self.opt.get("update_freq", 1)
        self.counted = (self.counted + 1) % update_freq
        loss.backward()  # expect: TL706

    def update(self):
        if self.counted % self.opt.get("update_freq", 1) == 0:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.1)
            self.optimizer.step()
            self.optimizer.zero_grad()
