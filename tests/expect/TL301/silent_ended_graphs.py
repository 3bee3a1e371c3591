"""What is stored holds no graph."""

import torch


def stored_values(model, loader, optimizer, criterion):
    losses, outputs, curve = [], [], {}
    for step, (x, y) in enumerate(loader):
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
        losses.append(loss.detach())
        losses += [float(loss)]
        outputs.append({"loss": loss.detach().cpu(), "output": output.detach()})
        losses.append(f"{loss}")
        losses.extend([loss.data, loss.tolist()])
        curve[step] = loss.detach()
    return losses, outputs, curve


def replaced_in_the_output(module, loader, optimizer):
    outputs = []
    for index, batch in enumerate(loader):
        output = module.training_step(batch, index)
        output["loss"].backward()
        optimizer.step()
        output["loss"] = output["loss"].detach()
        outputs.append(output)
    return outputs


def detached_in_place(model, loader, optimizer):
    losses = []
    for batch in loader:
        loss = model(batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        loss.detach_()
        losses.append(loss)
    return losses


@torch.no_grad()
def evaluate(model, loader, criterion):
    model.eval()
    losses = []
    for x, y in loader:
        losses.append(criterion(model(x), y))
    return torch.stack(losses).mean()


def converted(value):
    return value.item() if torch.is_tensor(value) else value


def converted_by_a_helper(model, loader, optimizer):
    losses = []
    for batch in loader:
        loss = model(batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(converted(loss))
    return losses


def items_that_are_numbers(model, loader, optimizer):
    logs = []
    for batch in loader:
        loss, log = model(batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        logs.append(log)
        logs.append(len(log))
    return logs
