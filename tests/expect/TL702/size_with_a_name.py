"""The size of a window is a number of the function, or computed there: its name says what it is for."""

import torch


def written_down(encoder, decoder, proj, loader, loss_of, epochs):
    for_proj = torch.optim.Adam(list(proj.parameters()), lr=1e-3)
    for_decoder = torch.optim.Adam(list(decoder.parameters()), lr=1e-3)
    for epoch in range(epochs):
        accumulation_steps = 2
        for i, (image, _) in enumerate(loader):
            loss = loss_of(decoder(proj(encoder(image))))
            for_proj.zero_grad()  # expect: TL702
            for_decoder.zero_grad()  # expect: TL702
            (loss / accumulation_steps).backward()
            if (i + 1) % accumulation_steps == 0:
                for_proj.step()
                for_decoder.step()


def computed(model, optimizer, loader, batch_size):
    accumulate = 64 // batch_size
    for i, batch in enumerate(loader):
        optimizer.zero_grad()  # expect: TL702
        (model(batch).mean() / accumulate).backward()
        if (i + 1) % accumulate == 0:
            optimizer.step()


def last_of_each(model, optimizer, loader):
    accum = 4
    for i, batch in enumerate(loader):
        optimizer.zero_grad()  # expect: TL702
        (model(batch).mean() / accum).backward()
        if i % accum == accum - 1:
            optimizer.step()


def of_something_else(model, optimizer, loader):
    accumulated = 0
    every = 5
    for i, batch in enumerate(loader):
        optimizer.zero_grad()
        loss = model(batch).mean()
        loss.backward()
        accumulated += loss.item()
        if i % every == 0:
            optimizer.step()


def steps_then_clears(model, optimizer, loader):
    accumulation_steps = 2
    for i, batch in enumerate(loader):
        (model(batch).mean() / accumulation_steps).backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
