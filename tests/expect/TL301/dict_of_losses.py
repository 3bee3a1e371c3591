"""The dict that a helper returned is completed with the loss, and then kept as a whole."""


def compute(model, batch, weights):
    parts = {"near": model.near(batch), "far": model.far(batch)}
    return parts


def completed_before(model, loader, optimizer, weights):
    history = []
    for batch in loader:
        parts = compute(model, batch, weights)
        parts["loss"] = weights[0] * parts["near"] + weights[1] * parts["far"]
        parts["loss"].backward()
        parts["accuracy"] = 0.5
        optimizer.step()
        optimizer.zero_grad()
        history.append(parts)  # expect: TL301
    return history


def from_out_of_sight(model, loader, optimizer, criterion):
    history = []
    for batch in loader:
        parts = criterion(model(batch))
        parts["loss"] = parts["near"] + parts["far"]
        parts["loss"].backward()
        parts.update(step=optimizer.steps)
        optimizer.step()
        optimizer.zero_grad()
        history.append(parts)  # expect: TL301
    return history


def replaced_behind(model, loader, optimizer, criterion):
    history = []
    for batch in loader:
        parts = criterion(model(batch))
        parts["loss"].backward()
        optimizer.step()
        optimizer.zero_grad()
        parts["loss"] = parts["loss"].item()
        history.append(parts)
    return history


def all_replaced_behind(model, loader, optimizer, criterion):
    history = []
    for batch in loader:
        parts = criterion(model(batch))
        parts["loss"].backward()
        optimizer.step()
        optimizer.zero_grad()
        for name in parts:
            parts[name] = parts[name].detach()
        history.append(parts)
    return history


def taken_out(model, loader, optimizer, criterion):
    history = []
    for batch in loader:
        parts = criterion(model(batch))
        parts["loss"].backward()
        optimizer.step()
        optimizer.zero_grad()
        parts.pop("loss")
        history.append(parts)
    return history
