"""Windows whose rest is applied, or goes on in the next epoch, or does not exist."""


def last_one(model, loader, optimizer, every):
    for index, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (index + 1) % every == 0 or index == len(loader) - 1:
            optimizer.step()
            optimizer.zero_grad()


def flushed(model, loader, optimizer, every):
    for index, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()
    optimizer.step()
    optimizer.zero_grad()


class Trainer:
    def __init__(self, model, optimizer, every):
        self.model, self.optimizer, self.every, self.seen = model, optimizer, every, 0

    def epoch(self, loader):
        for batch in loader:
            (self.model(batch).mean() / self.every).backward()
            self.seen += 1
            if self.seen % self.every == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()


def over_epochs(model, loader, optimizer, epochs, every):
    for epoch in range(epochs):
        for index, batch in enumerate(loader):
            (model(batch).mean() / every).backward()
            if (epoch * len(loader) + index + 1) % every == 0:
                optimizer.step()
                optimizer.zero_grad()


def cut_to_fit(model, loader, optimizer, every):
    usable = len(loader) // every * every
    for index, batch in enumerate(loader):
        if index >= usable:
            break
        (model(batch).mean() / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def logging(model, loader, optimizer, every):
    for index, batch in enumerate(loader):
        optimizer.zero_grad()
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if (index + 1) % every == 0:
            print(loss.item())


def delayed(model, critic, loader, optimizer, for_critic):
    for index, batch in enumerate(loader):
        for_critic.zero_grad()
        critic(batch).mean().backward()
        for_critic.step()
        if index % 5 == 0:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()


def at_the_start_of_the_next(model, loader, optimizer, every):
    for index, batch in enumerate(loader):
        if index % every == 0:
            optimizer.step()
            optimizer.zero_grad()
        (model(batch).mean() / every).backward()
    optimizer.step()


def windows_are_numbered(model, loader, optimizer, every, most):
    for index, batch in enumerate(loader):
        number = index // every
        if number >= most:
            continue
        (model(batch).mean() / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def shares_of_a_rollout(agent, rollout, optimizer, size, share, every):
    for index, start in enumerate(range(0, size, share)):
        (agent(rollout[start : start + share]).mean() / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def what_follows_a_continue_or_is_the_last(model, loader, optimizer, every):
    for index, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (index + 1) % every != 0 and index + 1 < len(loader):
            continue
        optimizer.step()
        optimizer.zero_grad()


def the_rest_of_a_counter(model, loader, optimizer, every):
    done = 0
    for batch in loader:
        (model(batch).mean() / every).backward()
        done += 1
        if done == every:
            optimizer.step()
            optimizer.zero_grad()
            done = 0
    if done:
        optimizer.step()
        optimizer.zero_grad()


def a_counter_that_goes_on(model, loader, optimizer, every, epochs):
    done = 0
    for _ in range(epochs):
        for batch in loader:
            (model(batch).mean() / every).backward()
            done += 1
            if done == every:
                optimizer.step()
                optimizer.zero_grad()
                done = 0
