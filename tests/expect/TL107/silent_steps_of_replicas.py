"""Steps that all ranks make, in some place; of a model that one process has for itself; and a copy that only one rank keeps."""

import copy

import torch
import torch.distributed as dist
from accelerate import Accelerator
from torch.nn.parallel import DistributedDataParallel as DDP
from tqdm import tqdm


def of_one_process(net, loader, criterion, rank):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(net(x), y).backward()
        if rank == 0:
            optimizer.step()


def on_both_sides(net, loader, criterion):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        if dist.get_rank() == 0:
            optimizer.step()
            print("stepped")
        else:
            optimizer.step()


def alternating(generator, critic, loader):
    g, c = DDP(generator), DDP(critic)
    g_optimizer = torch.optim.Adam(g.parameters())
    c_optimizer = torch.optim.Adam(c.parameters())
    for step, x in enumerate(loader):
        g_optimizer.zero_grad()
        c_optimizer.zero_grad()
        if step % 5 == 0:
            (-c(g(x)).mean()).backward()
            g_optimizer.step()
        else:
            c(g(x).detach()).mean().backward()
            c_optimizer.step()


class Ema:
    def __init__(self, model, decay):
        self.model = copy.deepcopy(model)
        self.decay = decay

    @torch.no_grad()
    def step(self, model):
        for mine, other in zip(self.model.parameters(), model.parameters()):
            mine.lerp_(other, 1 - self.decay)


def averaged_on_one_rank(net, loader, criterion):
    model = DDP(net)
    ema = Ema(net, 0.99) if dist.get_rank() == 0 else None
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        if dist.get_rank() == 0:
            ema.step(net)


def probed(net, loader, criterion):
    model = DDP(net)
    probe = torch.nn.Linear(10, 2)
    optimizer = torch.optim.SGD(probe.parameters(), lr=0.1)
    for x, y in loader:
        with torch.no_grad():
            features = model(x)
        if dist.get_rank() == 0:
            optimizer.zero_grad()
            criterion(probe(features), y).backward()
            optimizer.step()


def accumulated(net, loader, criterion):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    optimizer = torch.optim.AdamW(net.parameters())
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    model, optimizer, loader, scheduler = accelerator.prepare(net, optimizer, loader, scheduler)
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(criterion(model(x), y))
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            if not accelerator.optimizer_step_was_skipped:
                scheduler.step()
            optimizer.zero_grad()


def reduced(net, loader, criterion):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        bad = (~torch.isfinite(loss.detach())).float()
        dist.all_reduce(bad)
        if bad.item() == 0:
            optimizer.step()


def by_the_norm(net, loader, criterion):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if torch.isfinite(norm):
            optimizer.step()


def plateau(net, loader, criterion, epochs):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
    for _ in range(epochs):
        total = torch.zeros(1)
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.detach()
        dist.all_reduce(total)
        scheduler.step(total.item() / len(loader))


def raised(net, loader, criterion):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        if not torch.isfinite(loss):
            raise RuntimeError("diverged")
        optimizer.step()


def before_the_others(net, loader, criterion):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        if dist.get_rank() == 0:
            optimizer.step()
            continue
        print("not the first")
        optimizer.step()


def stepped(optimizer):
    optimizer.step()


def on_both_sides_in_a_helper(net, loader, criterion):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        if dist.get_rank() == 0:
            stepped(optimizer)
        else:
            stepped(optimizer)


def told_of_all(net, loader, val_loader, criterion, epochs):
    accelerator = Accelerator()
    optimizer = torch.optim.AdamW(net.parameters())
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
    model, optimizer, loader, val_loader = accelerator.prepare(net, optimizer, loader, val_loader)
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            accelerator.backward(criterion(model(x), y))
            optimizer.step()
        losses = []
        model.eval()
        with torch.no_grad():
            for x, y in val_loader:
                losses.append(accelerator.gather(criterion(model(x), y)))
        model.train()
        scheduler.step(torch.stack(losses).mean())


def of_a_stage(net, loader, criterion, mesh):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        if mesh.get_local_rank("pp") == 0:
            optimizer.step()


def shown_and_accumulated(net, loader, criterion, parts):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer.zero_grad()
    for i, batch in tqdm(enumerate(loader), total=len(loader)):
        x, y = batch
        (criterion(model(x), y) / parts).backward()
        if (i + 1) % parts == 0 or (i + 1) == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def numbered_out_of_sight(net, loader, criterion, parts, numbered):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer.zero_grad()
    for i, (x, y) in numbered(loader):
        (criterion(model(x), y) / parts).backward()
        if (i + 1) % parts == 0:
            optimizer.step()
            optimizer.zero_grad()
