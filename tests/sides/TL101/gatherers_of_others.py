"""An object goes over what it gathered and meets for each; somebody else has it, and may give it something."""

import torch.distributed as dist


class Hook:
    def run(self):
        dist.barrier()


class Runner:
    def __init__(self):
        self.hooks = []
        self.named = {}
        self.given = [Hook()]

    def add(self, hook):
        self.hooks.append(hook)

    def add_default(self):
        self.add(Hook())

    def add_named(self, name, hook):
        self.named[name] = hook

    def forget(self):
        self.hooks.clear()

    def run(self):
        for _hook in self.hooks:
            dist.barrier()

    def run_named(self):
        for _hook in self.named.values():
            dist.barrier()

    def run_given(self):
        for _hook in self.given:
            dist.barrier()

    def fill_and_run(self, hooks):
        for hook in hooks:
            self.hooks.append(hook)
        for _hook in self.hooks:
            dist.barrier()


class Collected:
    def __init__(self, register):
        self.hooks = []
        self.add(register())

    def add(self, hook):
        self.hooks.append(hook)

    def run(self):
        for _hook in self.hooks:
            dist.barrier()


class Lent:
    def __init__(self):
        self.hooks = []

    def lend(self, register):
        register(self.hooks)

    def run(self):
        for _hook in self.hooks:
            dist.barrier()


def handed_to_somebody(register, weights):
    runner = Runner()
    register(runner)
    if dist.get_rank() == 0:
        runner.run()  # expect: TL101
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)


def handed_by_keyword(register, weights):
    runner = Runner()
    register(runner=runner)
    if dist.get_rank() == 0:
        runner.run()  # expect: TL101
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)


def kept_by_somebody(state, weights):
    runner = Runner()
    state.runner = runner
    if dist.get_rank() == 0:
        runner.run()  # expect: TL101
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)


def returned(weights):
    runner = Runner()
    if dist.get_rank() == 0:
        runner.run()  # expect: TL101
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)
    return runner


def another_is_returned(weights):
    runner = Runner()
    other = Runner()
    if dist.get_rank() == 0:
        runner.run()
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)
    return other


def filled_when_made(register, weights):
    runner = Collected(register)
    if dist.get_rank() == 0:
        runner.run()  # expect: TL101
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)


def lent(register, weights):
    runner = Lent()
    runner.lend(register)
    if dist.get_rank() == 0:
        runner.run()  # expect: TL101
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)


def not_lent(weights):
    runner = Lent()
    if dist.get_rank() == 0:
        runner.run()
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)


def of_a_parameter(runner: Runner, weights):
    if dist.get_rank() == 0:
        runner.run()  # expect: TL101
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)
