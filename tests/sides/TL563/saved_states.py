"""States of compiled models that are saved: through helpers, choices, wrappers; and states that are not."""

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def plain(net, path):
    fast = torch.compile(net)
    torch.save(fast.state_dict(), path)  # expect: TL563


def not_compiled(net, path):
    torch.save(net.state_dict(), path)


def of_a_wrapper(net, path):
    wrapped = DDP(torch.compile(net))
    torch.save(wrapped.module.state_dict(), path)  # expect: TL563


def of_a_wrapper_around_the_model(net, path):
    wrapped = DDP(net)
    torch.save(wrapped.module.state_dict(), path)


def of_another_attribute(trainer, net, path):
    trainer.module = torch.compile(net)
    torch.save(trainer.backbone.state_dict(), path)


def by_choice(net, path, fast):
    model = torch.compile(net) if fast else net
    torch.save(model.state_dict(), path)  # expect: TL563


def by_or(net, path, given=None):
    model = given or torch.compile(net)
    torch.save(model.state_dict(), path)  # expect: TL563


def state_by_choice(net, ema, path, averaged):
    fast = torch.compile(net)
    torch.save(ema.state_dict() if averaged else fast.state_dict(), path)  # expect: TL563


def by_method(net, path):
    fast = torch.compile(net).to("cuda").eval()
    torch.save(fast.state_dict(), path)  # expect: TL563


def in_a_dict(net, optimizer, path):
    fast = torch.compile(net)
    state = {"net": fast.state_dict(), "optimizer": optimizer.state_dict()}  # expect: TL563
    torch.save(state, path)


def save(state, path):
    torch.save(state, path)


def by_save_helper(net, path):
    fast = torch.compile(net)
    save(fast.state_dict(), path)  # expect: TL563


def save_model(model, path):
    torch.save(model.state_dict(), path)  # expect: TL563


def by_model_helper(net, path):
    save_model(torch.compile(net), path)


def state_of(model):
    return model.state_dict()  # expect: TL563


def by_state_helper(net, path):
    torch.save(state_of(torch.compile(net)), path)


def states_of(model):
    yield model.state_dict()


def by_generator(net, path):
    torch.save(states_of(torch.compile(net)), path)


def fast_of(net):
    return torch.compile(net)


def by_compile_helper(net, path):
    model = fast_of(net)
    torch.save(model.state_dict(), path)  # expect: TL563


def with_options(net, path):
    fast = torch.compile(net)
    torch.save(fast.state_dict(prefix="net."), path)  # expect: TL563


def into_a_dict(net, path, found):
    """The state is put into one that is there already."""
    fast = torch.compile(net)
    fast.state_dict(found)
    torch.save(found, path)


def parameters_only(net, path):
    fast = torch.compile(net)
    torch.save(list(fast.parameters()), path)


def of_the_optimizer(net, optimizer, path):
    fast = torch.compile(net)
    fast(torch.ones(3))
    torch.save(optimizer.state_dict(), path)


def of_a_part(net, path):
    fast = torch.compile(net)
    torch.save(fast.head.state_dict(), path)


def of_a_model_with_a_compiled_part(net, path):
    net.body = torch.compile(net.body)
    torch.save(net.body.state_dict(), path)  # expect: TL563


class Own(nn.Module):
    def state_dict(self):
        return {"weights": self.weights}


def of_own_method(path):
    model = Own()
    torch.save(model.state_dict(), path)


def compiled_function(net, path):
    loss = torch.compile(nn.functional.mse_loss)
    loss(net(torch.ones(3)), torch.ones(3))
    torch.save(net.state_dict(), path)


def compiled_by_decorator(net, path):
    decorate = torch.compile(mode="default")
    fast = decorate(net)
    torch.save(fast.state_dict(), path)


def kept_in_memory(net):
    fast = torch.compile(net)
    return fast.state_dict()


def saved_twice(net, path):
    fast = torch.compile(net)
    state = fast.state_dict()  # expect: TL563
    torch.save(state, path)
    torch.save(state, path + ".best")


class Trainer:
    def __init__(self, net):
        self.net = torch.compile(net)
        self.plain = net

    def save(self, path):
        torch.save(self.net.state_dict(), path)  # expect: TL563

    def save_plain(self, path):
        torch.save(self.plain.state_dict(), path)
