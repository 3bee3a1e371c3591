"""A loop that applies gradients: whose gradients are emptied, when the optimizer is made, which loop it is."""

import torch


def nobody(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        model(batch).backward()
        optimizer.step()  # expect: TL701


def optimizer(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def in_some_rounds(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, batch in enumerate(loader):
        if i % 2 == 0:
            optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def once_before_the_loop(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer.zero_grad()
    for batch in loader:
        model(batch).backward()
        optimizer.step()  # expect: TL701


def the_other_one(generator, critic, loader):
    for_generator = torch.optim.Adam(generator.parameters())
    for_critic = torch.optim.Adam(critic.parameters())
    for batch in loader:
        for_critic.zero_grad()
        critic(generator(batch)).backward()
        for_generator.step()  # expect: TL701


def perhaps_the_other_one(generator, critic, loader, for_generator, for_critic):
    for batch in loader:
        for_critic.zero_grad()
        critic(generator(batch)).backward()
        for_generator.step()


def model(net, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for batch in loader:
        net.zero_grad()
        net(batch).backward()
        optimizer.step()


def made_in_each_round(build, rates, batch):
    for rate in rates:
        model = build()
        optimizer = torch.optim.SGD(model.parameters(), lr=rate)
        model(batch).backward()
        optimizer.step()


def make_optimizer(model, rate):
    return torch.optim.SGD(model.parameters(), lr=rate)


def made_by_a_helper_in_each_round(build, rates, batch):
    for rate in rates:
        model = build()
        optimizer = make_optimizer(model, rate)
        model(batch).backward()
        optimizer.step()


def made_by_a_helper_before(model, loader):
    optimizer = make_optimizer(model, 0.1)
    for batch in loader:
        model(batch).backward()
        optimizer.step()  # expect: TL701


def one_step(model, batch):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(batch).backward()
    optimizer.step()


def closure(model, loader):
    optimizer = torch.optim.LBFGS(model.parameters())
    for batch in loader:

        def compute():
            optimizer.zero_grad()
            loss = model(batch)
            loss.backward()
            return loss

        optimizer.step(compute)


def scaled(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        scaler.scale(model(batch)).backward()
        scaler.step(optimizer)  # expect: TL701
        scaler.update()


def touched_by_a_hook(model, loader, hook):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        model(batch).backward()
        hook(optimizer)
        optimizer.step()


def set_to_none(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        for parameter in model.parameters():
            parameter.grad = None
        model(batch).backward()
        optimizer.step()


def micro_batches(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        for part in batch.chunk(4):
            (model(part) / 4).backward()
        optimizer.step()  # expect: TL701
