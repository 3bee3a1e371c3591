"""apex at level O2, whose optimizer has copies of the parameters: what is clipped, and when."""

import torch
from apex import amp


def parameters_of_the_model(net, make, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    model, optimizer = amp.initialize(net, optimizer, opt_level="O2")
    for batch in loader:
        optimizer.zero_grad()
        with amp.scale_loss(model(batch), optimizer) as scaled:
            scaled.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
        optimizer.step()


def masters(net, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    model, optimizer = amp.initialize(net, optimizer, opt_level="O2")
    for batch in loader:
        optimizer.zero_grad()
        with amp.scale_loss(model(batch), optimizer) as scaled:
            scaled.backward()
        torch.nn.utils.clip_grad_norm_(amp.master_params(optimizer), 1.0)
        optimizer.step()


def infinite(net, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    model, optimizer = amp.initialize(net, optimizer, opt_level="O2")
    for batch in loader:
        optimizer.zero_grad()
        with amp.scale_loss(model(batch), optimizer) as scaled:
            scaled.backward()
        print(torch.nn.utils.clip_grad_norm_(model.parameters(), float("inf")))
        optimizer.step()


def some_list(net, parameters, loader):
    optimizer = torch.optim.SGD(parameters, lr=0.1)
    model, optimizer = amp.initialize(net, optimizer, opt_level="O2")
    for batch in loader:
        optimizer.zero_grad()
        with amp.scale_loss(model(batch), optimizer) as scaled:
            scaled.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()


def another_loss_without_scale(net, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    model, optimizer = amp.initialize(net, optimizer, opt_level="O2")
    for batch in loader:
        optimizer.zero_grad()
        with amp.scale_loss(model(batch), optimizer) as scaled:
            scaled.backward()
        optimizer.step()
        optimizer.zero_grad()
        model(batch).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
