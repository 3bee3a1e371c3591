"""A switch that nobody sees the value of, memory that is only asked for to be printed, and an error before the call."""

import torch


def where_there_are_some(model, optimizer, loader, cards, tell, spread):
    for batch in loader:
        if cards:
            torch.cuda.empty_cache()  # expect-likely: TL305
            if tell:
                print(torch.cuda.memory_allocated())
        optimizer.zero_grad()
        spread(model, batch, cards).mean().backward()
        optimizer.step()


def an_option(model, optimizer, loader, thrifty):
    for batch in loader:
        optimizer.zero_grad()
        model(batch.cuda()).mean().backward()
        optimizer.step()
        if thrifty:
            torch.cuda.empty_cache()


def told(model, optimizer, loader, tell):
    for batch in loader:
        torch.cuda.empty_cache()  # expect: TL305
        if tell:
            print(torch.cuda.memory_allocated())
        optimizer.zero_grad()
        model(batch.cuda()).mean().backward()
        optimizer.step()


def measured(model, optimizer, loader):
    for batch in loader:
        torch.cuda.empty_cache()
        before = torch.cuda.memory_allocated()
        optimizer.zero_grad()
        model(batch.cuda()).mean().backward()
        optimizer.step()
        print(torch.cuda.max_memory_allocated() - before)


def measured_and_freed_by_one_switch(model, optimizer, loader, tell):
    for batch in loader:
        if tell:
            torch.cuda.empty_cache()
            print(torch.cuda.memory_allocated())
        optimizer.zero_grad()
        model(batch.cuda()).mean().backward()
        optimizer.step()


def behind_an_error(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        loss = model(batch.cuda()).mean()
        if torch.isnan(loss):
            raise RuntimeError("not a number")
        loss.backward()
        optimizer.step()
        torch.cuda.empty_cache()  # expect: TL305
