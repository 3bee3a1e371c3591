"""The forward pass runs in float16 autocast, the loss is differentiated as it is."""

import torch
import torch as th
import torch.nn.functional as F
from torch import amp
from torch.cuda.amp import autocast as half_precision
from torch.optim import AdamW
from tqdm import tqdm


def default_of_cuda(model, optimizer, loader):
    for images, labels in tqdm(loader):
        optimizer.zero_grad()
        with half_precision():  # expect: TL401
            loss = F.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()


def given_by_position(net, opt, criterion, loader, every):
    for index, batch in enumerate(loader):
        with torch.autocast("cuda", torch.float16):  # expect: TL401
            output = net(batch["input"].cuda(non_blocking=True))
            loss = criterion(output, batch["target"])
        (loss / every).backward()
        if (index + 1) % every == 0:
            opt.step()
            opt.zero_grad()


def loss_in_float32(encoder, head, loader, device):
    parameters = [*encoder.parameters(), *head.parameters()]
    optimizer = AdamW(parameters, lr=1e-4)
    for x, y in loader:
        with amp.autocast(device_type=device.type, dtype=th.half):  # expect: TL401
            logits = head(encoder(x))
        loss = F.binary_cross_entropy_with_logits(logits.float(), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()


def switched_by_a_flag(model, optimizer, loader, args):
    for batch in loader:
        with th.autocast("cuda", enabled=args.mixed):  # expect: TL401
            outputs = model(**batch)
            loss = outputs.loss
        loss = loss.mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def inside_of_the_context(model, optimizer, loader):
    with torch.autocast("mps"):  # expect: TL401
        for x, y in loader:
            error = torch.nn.MSELoss()(model(x), y)
            torch.autograd.backward(error)  # expect: TL405
            optimizer.step()
            optimizer.zero_grad()


def two_terms(model, optimizer, loader, weight):
    for x, y in loader:
        with th.cuda.amp.autocast(dtype=th.float16):  # expect: TL401
            parts = model(x, y)
            total = sum(value for value in parts.values())
            total = total + weight * parts["penalty"]
        total.backward()
        optimizer.step()
        optimizer.zero_grad()


def one_context_for_each_kind(model, criterion, optimizer, loader):
    for batch in loader:
        if batch["kind"] == "image":
            with torch.autocast("cuda"):  # expect: TL401
                loss = criterion(model(batch["pixels"]), batch["label"])
        else:
            with torch.autocast("cuda"):  # expect: TL401
                loss = criterion(model(batch["frames"]), batch["label"])
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
