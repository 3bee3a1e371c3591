"""A dict of a step's numbers that is changed before it is kept."""


def set_anew(model, loader, optimizer, history):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        optimizer.step()
        log = {"loss": loss}
        log["loss"] = loss.item()
        history.append(log)


def kept_as_it_is(model, loader, optimizer, history):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        optimizer.step()
        log = {"loss": loss}
        history.append(log)  # expect: TL301


def another_is_added(model, loader, optimizer, history):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        optimizer.step()
        log = {"loss": loss}
        log["lr"] = optimizer.param_groups[0]["lr"]
        history.append(log)  # expect: TL301


def taken_out_again(model, loader, optimizer, history):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        optimizer.step()
        log = dict(loss=loss, n=1)
        log.pop("loss")
        history.append(log)


def each_set_anew(model, loader, optimizer, history):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        optimizer.step()
        log = {"loss": loss, "n": 1}
        log.pop("n")
        for name in log:
            log[name] = log[name].item()
        history.append(log)


def another_is_taken_out(model, loader, optimizer, history):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = model(x, y)
        loss.backward()
        optimizer.step()
        log = dict(loss=loss, n=1)
        log.pop("n")
        history.append(log)  # expect: TL301
