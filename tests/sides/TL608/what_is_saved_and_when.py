"""Files that pile up in a training loop: what is saved, under which test, and what the name is made of."""

import torch


def a_step(model, optimizer, batch):
    optimizer.zero_grad()
    loss = model(batch).mean()
    loss.backward()
    optimizer.step()
    return loss


def every_epoch(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        torch.save(model.state_dict(), f"every-{epoch}.pt")  # expect: TL608


def under_one_name(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        torch.save(model.state_dict(), "model.pt")


def one_of_two_names(model, optimizer, loader, epochs, keep):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        torch.save(model.state_dict(), f"kept-{epoch}.pt" if keep else "model.pt")


def twice_a_round(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        torch.save(model.state_dict(), f"weights-{epoch}.pt")  # expect: TL608
        torch.save(optimizer.state_dict(), f"moments-{epoch}.pt")


def two_loops(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        torch.save(model.state_dict(), f"warm-{epoch}.pt")  # expect: TL608
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        torch.save(model.state_dict(), f"main-{epoch}.pt")  # expect: TL608


def loop_that_trains_nothing(models):
    for number, model in enumerate(models):
        torch.save(model.state_dict(), f"member-{number}.pt")


def losses_of_a_round(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        losses = [float(a_step(model, optimizer, batch)) for batch in loader]
        torch.save(losses, f"losses-{epoch}.pt")


def pictures_in_a_dict(model, optimizer, loader, epochs, noise):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        torch.save({"images": model(noise).cpu(), "epoch": epoch}, f"images-{epoch}.pt")


def state_in_a_dict(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        torch.save({"model": model.state_dict(), "epoch": epoch}, f"dict-{epoch}.pt")  # expect: TL608


def state_by_name(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        state = {name: value.cpu() for name, value in model.state_dict().items()}
        torch.save(state, f"cpu-{epoch}.pt")  # expect: TL608


def now_and_then(model, optimizer, loader):
    for step, batch in enumerate(loader):
        a_step(model, optimizer, batch)
        if step % 1000 == 0:
            torch.save(model.state_dict(), f"step-{step}.pt")  # expect: TL608


def in_the_last_round(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        if epoch == epochs - 1:
            torch.save(model.state_dict(), f"result-{epoch}.pt")


def in_all_but_the_last(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        if epoch != epochs - 1:
            torch.save(model.state_dict(), f"between-{epoch}.pt")  # expect: TL608


def called_last(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        is_last = epoch + 1 == epochs
        for batch in loader:
            a_step(model, optimizer, batch)
        if is_last:
            torch.save(model.state_dict(), f"final-{epoch}.pt")


def not_called_last(model, optimizer, loader, epochs, stop):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        if not stop.is_last:
            torch.save(model.state_dict(), f"unfinished-{epoch}.pt")  # expect: TL608


def last_or_often(model, optimizer, loader, epochs, last_epoch):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        if epoch % 5 == 0 or epoch == last_epoch:
            torch.save(model.state_dict(), f"fifth-{epoch}.pt")  # expect: TL608


def when_it_is_better(model, optimizer, loader, epochs, evaluate):
    best = 0.0
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        score = evaluate(model)
        if score == best:
            continue
        if score > best:
            best = score
            torch.save(model.state_dict(), f"better-{epoch}.pt")  # expect: TL608


def at_listed_epochs(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        if epoch in (10, 20, 30):
            torch.save(model.state_dict(), f"listed-{epoch}.pt")


def where_a_mode_is_listed(model, optimizer, loader, epochs, mode):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        if mode in ("full", "head"):
            torch.save(model.state_dict(), f"mode-{epoch}.pt")  # expect: TL608


def keep(model, epoch):
    torch.save(model.state_dict(), f"kept-{epoch}.pt")  # expect: TL608


def in_a_helper(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        keep(model, epoch)


def keep_once(model, epoch):
    torch.save(model.state_dict(), f"once-{epoch}.pt")


def helper_in_the_last_round(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        if epoch == epochs - 1:
            keep_once(model, epoch)


def of_a_buffer(model, optimizer, loader, epochs, buffers):
    for epoch in range(epochs):
        for batch in loader:
            a_step(model, optimizer, batch)
        torch.save(model.state_dict(), buffers.fresh())
