"""What another stream computed, in a record."""

import torch


class Outputs:
    def __init__(self, own, auxiliary):
        self.own = own
        self.auxiliary = auxiliary


def losses(model, batch, more):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        auxiliary = model.auxiliary(more)
    outputs = Outputs(model(batch), auxiliary)
    return outputs.own + outputs.auxiliary.mean()  # expect: TL572


def losses_ordered(model, batch, more):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        auxiliary = model.auxiliary(more)
    outputs = Outputs(model(batch), auxiliary)
    torch.cuda.current_stream().wait_stream(side)
    return outputs.own + outputs.auxiliary.mean()
