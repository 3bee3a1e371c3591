"""What is done behind the loop: a step of the scheduler or one before the loop is none for the last batches."""


def flushed(model, loader, optimizer, every):
    for index, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()
    optimizer.step()


def flushed_by_a_function(model, loader, optimizer, every, last_step):
    for index, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()
    last_step(optimizer)


def scheduled(model, loader, optimizer, scheduler, every):
    for index, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()
    scheduler.step()


def before(model, loader, optimizer, every):
    optimizer.step()
    for index, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()
