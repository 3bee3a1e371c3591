"""An object goes over what it gathered and meets for each; it was given nothing, or something, or somebody else has it."""

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


class Sorted(Runner):
    def sort(self):
        self.hooks.sort(key=str)


def given_nothing(weights):
    runner = Runner()
    if dist.get_rank() == 0:
        runner.run()
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)


def given_a_hook(weights):
    runner = Runner()
    runner.add(Hook())
    if dist.get_rank() == 0:
        runner.run()  # expect: TL101
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)


def given_one_by_itself(weights):
    runner = Runner()
    runner.add_default()
    if dist.get_rank() == 0:
        runner.run()  # expect: TL101
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)


def only_emptied(weights):
    runner = Runner()
    runner.forget()
    if dist.get_rank() == 0:
        runner.run()
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)


def given_a_named_one(weights):
    runner = Runner()
    runner.add_named("meet", Hook())
    if dist.get_rank() == 0:
        runner.run_named()  # expect: TL101
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)


def given_none_by_name(weights):
    runner = Runner()
    runner.add(Hook())
    if dist.get_rank() == 0:
        runner.run_named()
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)


def has_one_from_the_start(weights):
    runner = Runner()
    if dist.get_rank() == 0:
        runner.run_given()  # expect: TL101
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)


def fills_and_runs(hooks, weights):
    runner = Runner()
    if dist.get_rank() == 0:
        runner.fill_and_run(hooks)  # expect: TL101
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)


def only_sorted(weights):
    runner = Sorted()
    if dist.get_rank() == 0:
        runner.run()
        dist.broadcast(weights, 0)
    else:
        dist.broadcast(weights, 0)
