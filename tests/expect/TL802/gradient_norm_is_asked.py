"""A test of a gradient norm, or of a loss, waits for the GPU, also in a helper."""

import time

import numpy as np
import torch


def is_finite(model, clip):
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    if isinstance(norm, float):
        return not np.isinf(norm)
    ok = True
    if torch.isinf(norm):
        ok = False
    return ok


def asked_in_a_helper(model, loader, opt, crit):
    model = model.cuda()
    for x, y in loader:
        opt.zero_grad()
        start = time.time()
        loss = crit(model(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
        loss.backward()
        is_finite(model, 1.0)
        opt.step()
        print(time.time() - start, loss.item())


def asked_here(model, loader, opt, crit):
    model = model.cuda()
    for x, y in loader:
        opt.zero_grad()
        start = time.time()
        loss = crit(model(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
        skipped = False
        if not torch.isfinite(loss):
            skipped = True
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        print(time.time() - start, skipped, norm)


def nobody_asks(model, loader, opt, crit):
    model = model.cuda()
    for x, y in loader:
        opt.zero_grad()
        start = time.time()
        loss = crit(model(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        took = time.time() - start  # expect: TL802
        print(took, norm, loss.item())
