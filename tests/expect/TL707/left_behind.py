"""Windows that the end of an epoch cuts off."""

from itertools import cycle

import torch
from accelerate import Accelerator
from accelerate.utils import DummyOptim
from tqdm import tqdm


def fine_tuning(args, model, train_dataloader, optimizer, scheduler):
    for epoch in range(args.epochs):
        for step, batch in enumerate(tqdm(train_dataloader)):
            loss = model(**batch)[0] / args.gradient_accumulation_steps
            loss.backward()
            if (step + 1) % args.gradient_accumulation_steps == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
                optimizer.step()  # expect: TL707
                scheduler.step()
                model.zero_grad()


def from_zero(accelerator, model, loader, optimizer, every):
    for index, batch in enumerate(loader):
        accelerator.backward(model(**batch).loss / every)
        if index % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def from_one(model, loader, optimizer, scaler):
    for number, (x, y) in tqdm(enumerate(loader, start=1)):
        scaler.scale(model(x, y) / 8).backward()
        if number % 8 == 0:
            scaler.step(optimizer)  # expect: TL707
            scaler.update()
            optimizer.zero_grad()


def from_zero_and_at_the_last(accelerator, model, loader, optimizer, every):
    for step, batch in enumerate(loader):
        accelerator.backward(model(**batch).loss / every)
        if step % every == 0 or step == len(loader) - 1:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def going_round(model, loader, optimizer, every):
    for batch, number in zip(loader, cycle(range(every))):
        if number == 0:
            optimizer.zero_grad()
        (model(batch).mean() / every).backward()
        if number % every == 0:
            optimizer.step()  # expect: TL707


def with_a_stand_in(model, loader, args):
    """DeepSpeed's configuration may bring the optimizer; the first batch of each window steps in any case."""
    accelerator = Accelerator()
    made_by = torch.optim.AdamW if accelerator.state.deepspeed_plugin is None else DummyOptim
    optimizer = made_by(model.parameters(), lr=args.rate)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for step, batch in enumerate(loader):
        accelerator.backward(model(**batch).loss / args.window)
        if step % args.window == 0 or step == len(loader) - 1:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def what_follows_a_continue(model, loader, optimizer, every):
    for index, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (index + 1) % every != 0:
            continue
        optimizer.step()  # expect: TL707
        optimizer.zero_grad()


def one_less_than_the_window(model, loader, optimizer, every):
    for index, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if index % every == every - 1:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def a_counter_that_is_set_back(model, loader, optimizer, every):
    done = 0
    for batch in loader:
        (model(batch).mean() / every).backward()
        done += 1
        if done < every:
            continue
        optimizer.step()  # expect: TL707
        optimizer.zero_grad()
        done = 0
