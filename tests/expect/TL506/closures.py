"""A closure that torch_xla's step hands on (as Lightning's plugin for TPUs once did)."""

import torch_xla.core.xla_model as xm


class Plugin:
    def step(self, optimizer, closure, **more):
        return xm.optimizer_step(optimizer, optimizer_args={"closure": closure, **more})  # expect: TL506

    def by_name(self, optimizer, closure):
        given = {"closure": closure}
        xm.optimizer_step(optimizer, barrier=True, optimizer_args=given)  # expect: TL506

    def without(self, optimizer, found_inf):
        xm.optimizer_step(optimizer, optimizer_args={"found_inf": found_inf, "closure": None})

    def whatever(self, optimizer, **more):
        xm.optimizer_step(optimizer, optimizer_args=more)

    def computed(self, model, x, optimizer):
        def closure():
            optimizer.zero_grad()
            loss = model(x).sum()
            loss.backward()
            return loss

        xm.optimizer_step(optimizer, optimizer_args={"closure": closure})  # expect: TL506

    def reduced_inside(self, optimizer, closure):
        def inside():
            loss = closure()
            xm.reduce_gradients(optimizer)
            return loss

        optimizer.step(closure=inside)
        xm.mark_step()
