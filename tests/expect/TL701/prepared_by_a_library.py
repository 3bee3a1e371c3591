"""An optimizer that was handed to the function, and to a library that prepares it."""

from accelerate import Accelerator


def piled_up(model, optimizer, loader):
    accelerator = Accelerator()
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for batch in loader:
        accelerator.backward(model(**batch).loss)
        optimizer.step()  # expect: TL701


def emptied(model, optimizer, loader):
    accelerator = Accelerator()
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for batch in loader:
        accelerator.backward(model(**batch).loss)
        optimizer.step()
        optimizer.zero_grad()


def scheduled(net, applies, schedule, loader):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    net, applies, loader, schedule = accelerator.prepare(net, applies, loader, schedule)
    for batch in loader:
        with accelerator.accumulate(net):
            accelerator.backward(net(**batch).loss)
            applies.step()
            schedule.step()
            applies.zero_grad()


def scheduled_and_piled_up(model, optimizer, scheduler, loader):
    accelerator = Accelerator()
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    for batch in loader:
        accelerator.backward(model(**batch).loss)
        optimizer.step()  # expect: TL701
        scheduler.step()
