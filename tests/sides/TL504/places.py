"""Values that are fetched in each step on XLA, and those that are not: by what, of what, and when."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl


def by_item(loader, model, optimizer, history):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        history.append(loss.item())  # expect: TL504


def by_float(loader, model, optimizer, history):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        history.append(float(loss))  # expect: TL504


def by_print(loader, model, optimizer):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        print("loss", loss)  # expect: TL504


def by_formatted(loader, model, optimizer):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        print(f"loss {loss}")  # expect: TL504


def by_format_method(loader, model, optimizer):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        print("loss {}".format(loss))  # expect: TL504


def by_format_of_shape(loader, model, optimizer):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        print("loss {}".format(loss.shape))


def by_percent(loader, model, optimizer):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        print("loss %s" % loss)  # expect: TL504


def by_percent_of_two(loader, model, optimizer):
    for step, (x, y) in enumerate(pl.MpDeviceLoader(loader, torch_xla.device())):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        print("step %d loss %s" % (step, loss))  # expect: TL504


def by_remainder(loader, model, optimizer):
    """The remainder of a step is no text."""
    for step, (x, y) in enumerate(pl.MpDeviceLoader(loader, torch_xla.device())):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        print(step % 10, loss.dtype)


def of_the_batch(loader, model, optimizer, history):
    """The loader has handed it out: it was there before."""
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)
        history.append(y.tolist())


def after_the_mark(loader, model, optimizer, history):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        xm.mark_step()
        history.append(loss.item())


def before_the_mark(loader, model, optimizer, history):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        history.append(loss.item())  # expect: TL504
        xm.mark_step()


def behind_the_step(loader, model, optimizer, history):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        with torch_xla.step():
            optimizer.zero_grad()
            loss = model(x, y)
            loss.backward()
            xm.optimizer_step(optimizer)
        history.append(loss.item())


def behind_another_block(loader, model, optimizer, history):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        with torch.autograd.profiler.record_function("step"):
            optimizer.zero_grad()
            loss = model(x, y)
            loss.backward()
            xm.optimizer_step(optimizer)
        history.append(loss.item())  # expect: TL504


def behind_a_block_of_ones_own(loader, model, optimizer, history, watch):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        with watch:
            optimizer.zero_grad()
            loss = model(x, y)
            loss.backward()
            xm.optimizer_step(optimizer)
        history.append(loss.item())  # expect: TL504


def in_attempt(loader, model, optimizer, history):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        try:
            history.append(loss.item())  # expect: TL504
        finally:
            xm.optimizer_step(optimizer)


def under_a_test(loader, model, optimizer, history):
    for step, (x, y) in enumerate(pl.MpDeviceLoader(loader, torch_xla.device())):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        if step % 100 == 0:
            history.append(loss.item())


def behind_a_skip(loader, model, optimizer, history):
    for step, (x, y) in enumerate(pl.MpDeviceLoader(loader, torch_xla.device())):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        if step % 100:
            continue
        history.append(loss.item())


def in_an_inner_loop(loader, model, optimizer, history):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        losses = model(x, y)
        losses.sum().backward()
        xm.optimizer_step(optimizer)
        for loss in losses * 2:
            history.append(loss.item())


def kept_on_the_device(loader, model, optimizer, history):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        history.append(loss.detach())


def note(loss, history):
    history.append(loss.item())  # expect: TL504


def notes(loss):
    yield loss.item()


def by_helper(loader, model, optimizer, history):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        note(loss, history)


def by_generator(loader, model, optimizer, history):
    """What a generator does nobody does before it is asked."""
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        history.append(notes(loss))


def number_of_a_setting(loader, model, optimizer, settings, history):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        history.append(settings.rate.item())


def item_of_a_dict(loader, model, optimizer, history):
    """``item`` with a number is a part that somebody asks for by place, which is fetched all the same."""
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)
        history.append(loss.detach().cpu())  # expect: TL504
