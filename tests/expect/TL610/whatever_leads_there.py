"""A test that lets in all rounds from one on, both arms of a switch, and tests that keep some rounds out."""

import torch


def from_a_start(model, optimizer, loader, start):
    for number, batch in enumerate(loader):
        if number < start:
            continue
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        torch.save(model.state_dict(), "model.pt")  # expect: TL610


def in_both_arms(model, optimizer, loader, verbose):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        if verbose:
            torch.save(model.state_dict(), "model.pt")  # expect: TL610
        else:
            torch.save(model.state_dict(), "model.pt")  # expect: TL610


def up_to_a_number(model, optimizer, loader, few):
    for number, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        if number < few:
            torch.save(model.state_dict(), "model.pt")


def if_told(model, optimizer, loader, save):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        if save:
            torch.save(model.state_dict(), "model.pt")


def when_it_is_better(model, optimizer, loader, best):
    for batch in loader:
        optimizer.zero_grad()
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if loss < best:
            best = loss.detach()
            torch.save(model.state_dict(), "model.pt")
