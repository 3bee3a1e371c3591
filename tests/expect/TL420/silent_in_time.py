"""Clips that have an effect, or are there for the norm."""

import math

import torch
from torch.nn.utils import clip_grad_norm_


def in_the_update_branch(agent, optimizer, epochs, batches, max_grad_norm):
    for _ in range(epochs):
        for batch in batches:
            loss = agent(batch)
            optimizer.zero_grad()
            loss.backward()
            clip_grad_norm_(agent.parameters(), max_grad_norm)
            optimizer.step()


def measured(model, loader, optimizer, log):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()
        log(clip_grad_norm_(model.parameters(), math.inf))


def emptied_behind(model, loader, optimizer):
    optimizer.zero_grad()
    for batch in loader:
        model(batch).backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()


def never_emptied_here(model, loader, optimizer, prepare):
    for batch in loader:
        batch = prepare(batch, optimizer)
        model(batch).backward()
        optimizer.step()
        clip_grad_norm_(model.parameters(), 1.0)


def carried_on(model, loader, optimizer, window):
    for number, batch in enumerate(loader):
        (model(batch) / window).backward()
        if (number + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()
        else:
            clip_grad_norm_(model.parameters(), 1.0)


def for_the_other(encoder, decoder, loader):
    for_encoder = torch.optim.SGD(encoder.parameters(), lr=0.1)
    for_decoder = torch.optim.SGD(decoder.parameters(), lr=0.1)
    for batch in loader:
        for_encoder.zero_grad()
        for_decoder.zero_grad()
        decoder(encoder(batch)).mean().backward()
        for_decoder.step()
        clip_grad_norm_(encoder.parameters(), 1.0)
        for_encoder.step()


def weights(critic, loader, optimizer, bound):
    for batch in loader:
        optimizer.zero_grad()
        critic(batch).mean().backward()
        optimizer.step()
        for parameter in critic.parameters():
            parameter.data.clamp_(-bound, bound)
