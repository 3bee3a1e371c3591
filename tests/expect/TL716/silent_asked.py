"""Loops in which the framework runs the backward pass, or is not in charge of it."""

import deepspeed
import torch
from accelerate import Accelerator
from lightning import Fabric


def as_it_should(model, loader):
    accelerator = Accelerator()
    model, optimizer, loader = accelerator.prepare(model, torch.optim.Adam(model.parameters()), loader)
    for batch in loader:
        accelerator.backward(model(batch).mean())
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()


def two_ways(model, loader, use_accelerate):
    optimizer = torch.optim.Adam(model.parameters())
    if use_accelerate:
        accelerator = Accelerator()
        model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for batch in loader:
        loss = model(batch).mean()
        if use_accelerate:
            accelerator.backward(loss)
        else:
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def only_the_data(model, loader):
    accelerator = Accelerator()
    loader = accelerator.prepare(loader)
    optimizer = torch.optim.Adam(model.parameters())
    for batch in loader:
        model(batch).mean().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()


def in_bfloat16(model, loader):
    accelerator = Accelerator(mixed_precision="bf16")
    model, optimizer, loader = accelerator.prepare(model, torch.optim.Adam(model.parameters()), loader)
    for batch in loader:
        accelerator.backward(model(batch).mean())
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()


def one_of_two_is_prepared(generator, critic, loader):
    accelerator = Accelerator()
    generator, for_generator, loader = accelerator.prepare(generator, torch.optim.Adam(generator.parameters()), loader)
    for_critic = torch.optim.Adam(critic.parameters())
    for batch in loader:
        critic(batch).mean().backward()
        for_critic.step()
        for_critic.zero_grad()
        accelerator.backward(generator(batch).mean())
        for_generator.step()
        for_generator.zero_grad()


def fabric_only_launches(model, loader):
    fabric = Fabric(devices=2)
    fabric.launch()
    model = model.to(fabric.device)
    optimizer = torch.optim.Adam(model.parameters())
    for batch in loader:
        model(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def engine_or_not(args, net, loader, with_engine):
    optimizer = torch.optim.Adam(net.parameters())
    model = net
    if with_engine:
        model, optimizer, _, _ = deepspeed.initialize(args=args, model=net, optimizer=optimizer)
    for batch in loader:
        loss = model(batch).mean()
        if with_engine:
            model.backward(loss)
            model.step()
        else:
            loss.backward()
            optimizer.step()


def beside_an_engine(args, net, probe, loader):
    engine, _, _, _ = deepspeed.initialize(args=args, model=net)
    optimizer = torch.optim.Adam(probe.parameters())
    for batch in loader:
        engine.backward(engine(batch).mean())
        engine.step()
        probe(batch).mean().backward()
        optimizer.step()


def an_engine_sees_it(args, net, data, criterion):
    model_engine, _, loader, _ = deepspeed.initialize(args=args, model=net, training_data=data)
    for images, labels in loader:
        loss = criterion(model_engine(images), labels)
        loss.backward()
        model_engine.step()


def nothing_to_scale(model, loader):
    accelerator = Accelerator(mixed_precision="no")
    model, optimizer, loader = accelerator.prepare(model, torch.optim.Adam(model.parameters()), loader)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
