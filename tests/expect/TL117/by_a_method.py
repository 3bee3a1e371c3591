"""The loss is computed by a method of the model that is no forward pass; one process needs no wrapper."""
# Modelled on ivanvovk/WaveGrad.

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from transformers import AutoModelForCausalLM, AutoTokenizer


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)

    def compute_loss(self, x, y):
        return torch.nn.functional.mse_loss(self.layer(x), y)

    def end(self):
        return 0

    def loss_of(self, batch):
        return self.compute_loss(*batch)


def of_the_module(loader, optimizer, rank):
    model = DDP(Net().cuda(), device_ids=[rank])
    for x, y in loader:
        optimizer.zero_grad()
        loss = model.module.compute_loss(x, y)  # expect: TL117
        loss.backward()
        optimizer.step()


def of_either(loader, optimizer, rank, n_gpus):
    model = Net().cuda()
    if n_gpus > 1:
        model = DDP(model, device_ids=[rank])
    for x, y in loader:
        optimizer.zero_grad()
        loss = (model if n_gpus == 1 else model.module).compute_loss(x, y)  # expect: TL117
        loss.backward()
        optimizer.step()


def by_its_old_name(loader, optimizer, rank):
    net = Net().cuda()
    ddp = DDP(net, device_ids=[rank])
    for x, y in loader:
        optimizer.zero_grad()
        net.compute_loss(x, y).backward()  # expect: TL117
        optimizer.step()
    return ddp


class Tuned(torch.nn.Module):
    """A model of a library's, with a loss of its own."""

    def __init__(self, name):
        super().__init__()
        self.llm = AutoModelForCausalLM.from_pretrained(name)
        self.tokenizer = AutoTokenizer.from_pretrained(name)

    def end(self):
        return self.tokenizer.eos_token

    def loss_of(self, batch):
        return self.llm(**batch).loss


class Stages:
    """As in OpenTSLM before it was mended: whoever wants the model, asks a getter, which takes it out of its wrapper."""

    def __init__(self, kind, load, rank):
        self.kind, self.load, self.rank = kind, load, rank
        self.model = self.make()

    def make(self):
        if self.kind == "tuned":
            model = Tuned("small").to(self.rank)
        else:
            model = Net().to(self.rank)
        if dist.get_world_size() > 1:
            model = DDP(model, device_ids=[self.rank])
        return model

    def plain(self):
        if hasattr(self.model, "module"):
            return self.model.module
        return self.model

    def run(self, optimizer):
        loader = self.load(end=self.plain().end())
        for batch in loader:
            optimizer.zero_grad()
            loss = self.plain().loss_of(batch)  # expect: TL117
            loss.backward()
            optimizer.step()
        mean = torch.tensor(loss.item(), device=self.rank)
        dist.all_reduce(mean)
        return mean


class OneStage:
    def __init__(self, rank):
        self.model = DDP(Tuned("small").to(rank), device_ids=[rank])

    def inner(self):
        return self.model.module

    def run(self, loader, optimizer):
        for batch in loader:
            optimizer.zero_grad()
            self.inner().loss_of(batch).backward()  # expect: TL117
            optimizer.step()

    def run_in_the_wrapper(self, loader, optimizer):
        for batch in loader:
            optimizer.zero_grad()
            self.model(batch).backward()
            optimizer.step()
        return self.inner().end()

    def run_averaged(self, loader, optimizer):
        for batch in loader:
            optimizer.zero_grad()
            self.inner().loss_of(batch).backward()
            for parameter in self.model.parameters():
                dist.all_reduce(parameter.grad)
            optimizer.step()
