"""Meters, bars and counters that are fed with numbers in every step."""

import torch
from tqdm import tqdm


def one_epoch(model, criterion, optimizer, loader, losses, top1):
    model.cuda().train()
    for i, (images, target) in enumerate(loader):
        images, target = images.cuda(non_blocking=True), target.cuda(non_blocking=True)
        output = model(images)
        loss = criterion(output, target)
        losses.update(loss.item(), images.size(0))  # expect: TL801
        top1.update((output.argmax(1) == target).float().mean().item(), images.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 50 == 0:
            print(losses)


def with_a_bar(net, optimizer, loader, device):
    bar = tqdm(loader)
    for batch in bar:
        batch = {key: value.to(device) for key, value in batch.items()}
        loss = net(**batch).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        bar.set_postfix(loss=loss.item())  # expect: TL801


def statistics(model, optimizer, loader, logger, dev):
    model.train()
    for batch in loader:
        batch = batch.to(dev)
        pred, true = model(batch)
        loss = torch.nn.functional.mse_loss(pred, true)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.update(true=true.detach().cpu(), pred=pred.detach().cpu(), loss=float(loss))  # expect: TL801


def many_small_ones(model, optimizer, scaler, loader):
    model.to("cuda:0")
    total = 0
    while True:
        for x in loader:
            with torch.autocast("cuda"):
                loss = model(x.cuda(non_blocking=True)).mean()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            optimizer.zero_grad()
            scaler.update()
            total += loss.detach().cpu().numpy()  # expect: TL801
        if total > 100:
            break
