import apex.amp as amp
from accelerate import Accelerator
from steps import Scaler, train_batch, update, with_parts


def helper_takes_the_loss(model, loader, criterion, optimizer):
    total = 0
    for batch in loader:
        loss = criterion(model(batch), batch.label)
        update(loss, optimizer)
        total += loss  # expect: TL302
    return total


def helper_returns_the_loss(model, loader, criterion, optimizer):
    total = 0
    for batch in loader:
        total += train_batch(model, batch, criterion, optimizer)  # expect: TL302
    return total


def helper_returns_two(model, loader, criterion, optimizer):
    total = seen = logged = 0
    for batch in loader:
        loss, log = with_parts(model, batch, criterion, optimizer)
        total += loss  # expect: TL302
        logged += log["loss"]
        seen += 1
    return total / seen, logged / seen


def object_takes_the_loss(model, loader, criterion, optimizer, loss_scaler):
    total = 0
    for batch in loader:
        loss = criterion(model(batch), batch.label)
        loss_scaler(loss, optimizer)
        total += loss  # expect: TL302
    return total


def start(model, loader, criterion, optimizer, native):
    scaler = Scaler(native)
    for _ in range(10):
        print(object_takes_the_loss(model, loader, criterion, optimizer, scaler))


def accelerated(model, loader, optimizer):
    accelerator = Accelerator()
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    total = 0
    for batch in loader:
        outputs = model(**batch)
        loss = outputs.loss
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        total += loss  # expect: TL302
    return total


def engine(model_engine, loader):
    total = 0
    for batch in loader:
        loss = model_engine(batch)
        model_engine.backward(loss)
        model_engine.step()
        total += loss.mean()  # expect: TL302
    return total


def mixed_precision(model, loader, criterion, optimizer, half):
    total = 0
    for batch in loader:
        loss = criterion(model(batch), batch.label)
        if half:
            with amp.scale_loss(loss, optimizer) as scaled:
                scaled.backward()
        else:
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += loss  # expect: TL302
    return total
