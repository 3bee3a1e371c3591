class Scaler:
    """Scales, computes gradients, steps."""

    def __init__(self, scaler):
        self.scaler = scaler

    def __call__(self, loss, optimizer):
        self.scaler.scale(loss).backward()
        self.scaler.step(optimizer)  # expect: TL701
        self.scaler.update()


def update(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def train_batch(model, batch, criterion, optimizer):
    loss = criterion(model(batch), batch.label)
    update(loss, optimizer)
    return loss


def with_parts(model, batch, criterion, optimizer):
    parts = criterion(model(batch), batch.label)
    loss = sum(parts.values())
    update(loss, optimizer)
    return loss, {"loss": loss.item()}
