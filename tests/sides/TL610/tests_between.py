"""A save in each step of a training, and what may stand between the loop and the save."""

import contextlib

import torch
from tqdm import tqdm


def each_step(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        torch.save(model.state_dict(), "each.pt")  # expect: TL610


def under_a_test(model, optimizer, loader):
    for step, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        if step % 100 == 0:
            torch.save(model.state_dict(), "hundredth.pt")


def under_a_context(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        with contextlib.suppress(OSError):
            torch.save(model.state_dict(), "context.pt")  # expect: TL610


def behind_a_continue(model, optimizer, loader):
    for step, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        if step % 100:
            continue
        torch.save(model.state_dict(), "continued.pt")


def test_around_the_loop(model, optimizer, loader, training):
    if training:
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            torch.save(model.state_dict(), "around.pt")  # expect: TL610


def numbers_only(model, optimizer, data, steps):
    for step in range(steps):
        optimizer.zero_grad()
        model(data).mean().backward()
        optimizer.step()
        torch.save(model.state_dict(), "numbers.pt")


def numbers_with_a_bar(model, optimizer, data, steps):
    for step in tqdm(range(steps), desc="epochs"):
        optimizer.zero_grad()
        model(data).mean().backward()
        optimizer.step()
        torch.save(model.state_dict(), "bar.pt")


def numbered_bar(model, optimizer, data, steps):
    for index, step in enumerate(tqdm(range(steps))):
        optimizer.zero_grad()
        model(data).mean().backward()
        optimizer.step()
        torch.save(model.state_dict(), "numbered_bar.pt")


def batches_with_a_bar(model, optimizer, loader):
    for step, batch in enumerate(tqdm(loader)):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        torch.save(model.state_dict(), "batches.pt")  # expect: TL610


def until_it_is_good(model, optimizer, data, good):
    while not good(model):
        optimizer.zero_grad()
        model(data).mean().backward()
        optimizer.step()
        torch.save(model.state_dict(), "until.pt")


def behind_the_loop(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
    torch.save(model.state_dict(), "behind.pt")


def keep(model):
    torch.save(model.state_dict(), "helper.pt")  # expect: TL610


def in_a_helper(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        keep(model)


def keep_if(model, wanted):
    if wanted:
        torch.save(model.state_dict(), "wanted.pt")


def test_in_a_helper(model, optimizer, loader, wanted):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        keep_if(model, wanted)


def keep_locked(model, lock):
    with lock:
        torch.save(model.state_dict(), "locked.pt")  # expect: TL610


def context_in_a_helper(model, optimizer, loader, lock):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        keep_locked(model, lock)
