"""By what a window of batches is counted: the index of the loop, where it begins, in which way it is drawn."""

from itertools import cycle, count

from tqdm import tqdm


def index_of_the_loop(model, loader, optimizer, every):
    for i, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def in_a_progress_bar(model, loader, optimizer, every):
    for i, batch in tqdm(enumerate(loader), total=len(loader)):
        (model(batch).mean() / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def around_a_progress_bar(model, loader, optimizer, every):
    for i, batch in enumerate(tqdm(loader)):
        (model(batch).mean() / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def from_one(model, loader, optimizer, every):
    for i, batch in enumerate(loader, 1):
        (model(batch).mean() / every).backward()
        if i % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def from_one_by_keyword(model, loader, optimizer, every):
    for i, batch in enumerate(loader, start=1):
        (model(batch).mean() / every).backward()
        if i % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def from_where_the_last_epoch_ended(model, loader, optimizer, every, done):
    for i, batch in enumerate(loader, start=done):
        (model(batch).mean() / every).backward()
        if i % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def another_number_of_the_batch(model, loader, optimizer, every):
    for i, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (batch.number + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def epochs_make_the_window(model, loader, optimizer, epochs, every):
    for epoch, _ in enumerate(range(epochs)):
        for i, batch in enumerate(loader):
            (model(batch).mean() / every).backward()
            if (epoch + 1) % every == 0:
                optimizer.step()
                optimizer.zero_grad()


def numbers_of_a_range(model, batches, optimizer, every, steps):
    for i, _ in enumerate(range(steps)):
        (model(next(batches)).mean() / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def round_the_window(model, loader, optimizer, every):
    for batch, i in zip(loader, cycle(range(every))):
        (model(batch).mean() / every).backward()
        if i % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def round_the_window_by_its_end(model, loader, optimizer, every):
    for batch, i in zip(loader, cycle(range(every))):
        (model(batch).mean() / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def counted_beside_the_loader(model, loader, optimizer, every, first):
    for batch, i in zip(loader, count(first)):
        (model(batch).mean() / every).backward()
        if i % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def numbers_of_the_data_set(model, loader, optimizer, every, numbers):
    for batch, i in zip(loader, numbers):
        (model(batch).mean() / every).backward()
        if i % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def with_another_remainder(model, loader, optimizer, every):
    for i, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if i % every == every - 1:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def window_of_one_batch(model, loader, optimizer):
    every = 1
    for i, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def window_of_four_batches(model, loader, optimizer):
    every = 4
    for i, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def last_batch_steps_too(model, loader, optimizer, every):
    for i, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (i + 1) % every == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def first_batch_steps_and_the_last(model, loader, optimizer, every):
    for i, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if i % every == 0 or i + 1 == len(loader):
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def behind_the_loop(model, loader, optimizer, every):
    for i, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()
    optimizer.step()


def scheduler_behind_the_loop(model, loader, optimizer, scheduler, every):
    for i, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()
    scheduler.step()


def helper_that_steps_behind_the_loop(model, loader, optimizer, every, last_step):
    for i, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()
    last_step(model, optimizer)


def cut_to_full_windows(model, loader, optimizer, every):
    full = len(loader) // every
    for i, batch in enumerate(loader):
        if i // every == full:
            break
        (model(batch).mean() / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def step_of_the_window_before(model, loader, optimizer, every):
    for i, batch in enumerate(loader):
        if i % every == 0:
            optimizer.step()
            optimizer.zero_grad()
        (model(batch).mean() / every).backward()


def two_tests(model, loader, optimizer, every, warm):
    for i, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if warm:
            if (i + 1) % every == 0:
                optimizer.step()
                optimizer.zero_grad()


def while_loop(model, batches, optimizer, every, steps):
    i = 0
    while i < steps:
        (model(next(batches)).mean() / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()
        i += 1


def in_a_bar_of_its_own(model, loader, optimizer, every):
    bar = tqdm(enumerate(loader), total=len(loader))
    for i, batch in bar:
        (model(batch).mean() / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def asks_for_the_rest_of_the_loader(model, loader, optimizer, every):
    if len(loader) % every != 0:
        raise ValueError("the window does not divide the number of batches")
    for i, batch in tqdm(enumerate(loader), total=len(loader)):
        (model(batch).mean() / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()
