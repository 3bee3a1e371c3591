"""Steps that are timed after something has waited for the GPU."""

import time

import numpy as np
import torch


def by_name(model, x, device_type, rounds):
    synchronize = torch.cuda.synchronize if device_type == "cuda" else lambda: None
    model.cuda()
    for _ in range(rounds):
        synchronize()
        t0 = time.time()
        model(x).mean().backward()
        synchronize()
        print(time.time() - t0)


def if_there_is_one(model, x, times):
    model = model.cuda()
    start = time.perf_counter()
    model(x)
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    times.append(time.perf_counter() - start)


def own_clock(model, x):
    def now():
        torch.cuda.synchronize()
        return time.time()

    model.cuda()
    start = now()
    model(x)
    return now() - start


def metric_in_each_step(model, criterion, optimizer, loader, losses, batch_time):
    model.cuda()
    end = time.time()
    for images, labels in loader:
        images, labels = images.cuda(non_blocking=True), labels.cuda(non_blocking=True)
        loss = criterion(model(images), labels)
        losses.update(loss.item(), images.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        batch_time.update(time.time() - end)
        end = time.time()


def decoded(model, tokenizer, batch, device):
    t0 = time.time()
    ids = model.generate(batch["input_ids"].to(device))
    texts = tokenizer.batch_decode(ids)
    return texts, time.time() - t0


def to_array(net, images):
    net.cuda()
    begin = time.time()
    probabilities = np.asarray(net(images.cuda()).softmax(1).cpu())
    print("took", time.time() - begin)
    return probabilities


def printed(model, x):
    model.cuda()
    start = time.time()
    score = model(x)
    print("score", score)
    return time.time() - start


def bar(model, optimizer, loader, progress):
    model.cuda()
    for batch in loader:
        start = time.time()
        loss = model(batch.cuda(non_blocking=True))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        progress.set_postfix(loss=f"{loss:.3f}")
        print(time.time() - start)
