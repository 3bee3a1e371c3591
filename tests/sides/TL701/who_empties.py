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


class OfBranches:
    def __init__(self, model, optimizer, scaler, half):
        self.model, self.optimizer, self.scaler, self.half = model, optimizer, scaler, half

    def fit(self, loader):
        for x in loader:
            loss = self.model(x).sum()
            if self.half:
                self.scaler.scale(loss).backward()
                self._half()
            else:
                loss.backward()
                self._whole()

    def _half(self):
        self.scaler.step(self.optimizer)  # expect: TL701
        self.scaler.update()

    def _whole(self):
        self.optimizer.step()
        self.optimizer.zero_grad()


def step_of_branch(loss, optimizer, scaler):
    if scaler is None:
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # expect: TL701
    scaler.update()


def emptied_in_the_other_branch(model, loader, scaler):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        step_of_branch(model(x).sum(), optimizer, scaler)


def emptied_before_the_round_is_left(model, loader, args):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    for x in loader:
        loss = model(x).sum()
        if not args.amp:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            continue
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # expect: TL701
        scaler.update()


def in_both_branches(model, loader, optimizer, scaler=None):
    for x in loader:
        loss = model(x).sum()
        if scaler is not None:
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def in_turns(model, loader, optimizer):
    """Each round asks anew: two rounds make a window."""
    for i, x in enumerate(loader):
        model(x).sum().backward()
        if i % 2:
            optimizer.step()
        else:
            optimizer.zero_grad()


def asked_anew(model, loader, optimizer, gate):
    for x in loader:
        model(x).sum().backward()
        if gate():
            optimizer.step()
        else:
            optimizer.zero_grad()


class InItsFirstRound:
    def __init__(self, model, optimizer):
        self.model, self.optimizer, self.first = model, optimizer, True

    def fit(self, loader):
        for x in loader:
            self.model(x).sum().backward()
            if self.first:
                self.optimizer.step()
                self.first = False
            else:
                self.optimizer.step()
                self.optimizer.zero_grad()


def behind_both_branches(model, loader, amp, scaler):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        loss = model(x).sum()
        if amp:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()
        if amp:
            optimizer.zero_grad()
        if not amp:
            model.zero_grad()
