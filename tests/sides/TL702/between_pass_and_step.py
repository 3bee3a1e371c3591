"""`zero_grad` between the backward pass and the step: of what, under which tests, and which way leads around it."""

import torch


def in_between(model, optimizer, loader):
    for batch in loader:
        model(batch).backward()
        optimizer.zero_grad()  # expect: TL702
        optimizer.step()


def another_pass_follows(model, optimizer, loader):
    for batch in loader:
        model(batch).backward()
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()
        optimizer.zero_grad()


def given_up_on_overflow(model, optimizer, loader):
    for batch in loader:
        loss = model(batch)
        loss.backward()
        if torch.isnan(loss):
            optimizer.zero_grad()
        optimizer.step()
        optimizer.zero_grad()


def skipped_on_overflow(model, optimizer, loader):
    for batch in loader:
        loss = model(batch)
        loss.backward()
        if torch.isnan(loss):
            optimizer.zero_grad()
            continue
        optimizer.step()
        optimizer.zero_grad()


def all_three_under_a_test(model, optimizer, loader, train):
    for batch in loader:
        loss = model(batch)
        if train:
            loss.backward()
            optimizer.zero_grad()  # expect: TL702
            optimizer.step()


def step_under_a_test(model, optimizer, loader, train):
    for batch in loader:
        model(batch).backward()
        optimizer.zero_grad()  # expect: TL702
        if train:
            optimizer.step()


def model_is_emptied(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        model(batch).backward()
        model.zero_grad()  # expect: TL702
        optimizer.step()


def another_model_is_emptied(model, teacher, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        model(batch).backward()
        teacher.zero_grad()
        optimizer.step()
        optimizer.zero_grad()


def a_part_is_emptied(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        model(batch).backward()
        model.embedding.zero_grad()
        optimizer.step()
        optimizer.zero_grad()


def another_optimizer_is_emptied(generator, critic, noise):
    for_generator = torch.optim.Adam(generator.parameters())
    for_critic = torch.optim.Adam(critic.parameters())
    for batch in noise:
        critic(generator(batch)).backward()
        for_critic.zero_grad()
        for_generator.step()
        for_generator.zero_grad()


def closure_computes_anew(model, loader):
    optimizer = torch.optim.LBFGS(model.parameters())
    for batch in loader:

        def closure():
            loss = model(batch)
            loss.backward()
            return loss

        closure()
        optimizer.zero_grad()
        optimizer.step(closure)


def scaler_steps(model, optimizer, scaler, loader):
    for batch in loader:
        scaler.scale(model(batch)).backward()
        optimizer.zero_grad()  # expect: TL702
        scaler.step(optimizer)
        scaler.update()


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())

    def reset(self):
        self.optimizer.zero_grad()  # expect: TL702

    def update(self, loss):
        loss.backward()
        self.reset()
        self.optimizer.step()

    def fit(self, loader):
        for batch in loader:
            self.update(self.model(batch))


class Alternating:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())

    def reset(self):
        self.optimizer.zero_grad()

    def update(self, loss):
        self.reset()
        loss.backward()
        self.optimizer.step()

    def fit(self, loader):
        for batch in loader:
            self.update(self.model(batch))
