"""Values that stay on the GPU, or are fetched now and then."""

import torch


def at_an_interval(model, optimizer, loader, device, log_interval, args):
    for batch_idx, (data, target) in enumerate(loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        loss = torch.nn.functional.nll_loss(model(data), target)
        loss.backward()
        optimizer.step()
        if batch_idx % log_interval == 0:
            print(f"{batch_idx} {loss.item():.6f}")
            if args.dry_run:
                break


def running_on_the_device(model, optimizer, loader, device):
    running, seen = torch.zeros(1, device=device), 0
    for x in loader:
        optimizer.zero_grad()
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        running += loss.detach()
        seen += x.size(0)
    return float(running) / seen


def micro_steps(model, optimizer, loader, window, device):
    for number, x in enumerate(loader):
        loss = model(x.to(device)).mean() / window
        loss.backward()
        if (number + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()
            print(loss.item() * window)


def sizes(model, optimizer, loader):
    model.cuda()
    count = 0
    for x in loader:
        optimizer.zero_grad()
        out = model(x.cuda())
        out.mean().backward()
        optimizer.step()
        count += int(out.shape[0])
        print("rows", out.size(0), float(count))


def skipped_early(model, optimizer, loader, every):
    model.cuda()
    for step, x in enumerate(loader):
        optimizer.zero_grad()
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        if step % every:
            continue
        print(loss.item())


def on_one_rank(model, optimizer, loader, rank):
    model.cuda(rank)
    for x in loader:
        optimizer.zero_grad()
        loss = model(x.cuda(rank)).mean()
        loss.backward()
        optimizer.step()
        if rank == 0:
            print(loss.item())
