"""A state whose parts are detached is made of itself: what it was computed by is not known."""

import torch


class State:
    def detach(self):
        self.hidden = tuple([part.detach() for part in self.hidden])


@torch.no_grad()
def run(net, loader):
    net.cuda().eval()
    state = State()
    for x in loader:
        state.hidden = net(x.cuda(), state.hidden)
        state.detach()
