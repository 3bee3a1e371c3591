"""Several terms are one loss, and the backward pass runs on their sum."""


def terms_of_one_iteration(model, loader, optimizer, heads):
    for x, targets in loader:
        features = model(x)
        loss = 0
        for head, target in zip(heads, targets):
            loss += head(features, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def carried_from_before(model, loader, optimizer, heads):
    loss = 0
    for x, targets in loader:
        features = model(x)
        for head, target in zip(heads, targets):
            loss = loss + head(features, target)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()


def backward_after_the_loop(model, batches, optimizer, criterion):
    total = 0
    for x, y in batches:
        total += criterion(model(x), y)
    total.backward()
    optimizer.step()
    return total.item()


def meta_learning(model, tasks, optimizer, adapt, criterion):
    for batch in tasks:
        outer = 0.0
        for support, query in batch:
            inner = criterion(model(support.x), support.y)
            inner.backward(create_graph=True)
            outer = outer + criterion(adapt(model)(query.x), query.y)
        optimizer.zero_grad()
        outer.backward()
        optimizer.step()


def returned_as_the_loss(model, images, targets):
    loss = 0
    for image, target in zip(images, targets):
        loss = loss + model.loss(image, target)
    return loss


class Detector:
    def losses(self, predictions, targets):
        total = 0
        for prediction, target in zip(predictions, targets):
            total += self.criterion(prediction, target)
        return total

    def training_step(self, batch):
        loss = self.losses(self.model(batch.x), batch.targets)
        loss.backward()
        self.optimizer.step()
        return loss


def truncated_history(model, stream, optimizer, criterion, every):
    waiting = 0
    for i, (x, y) in enumerate(stream):
        waiting = waiting + criterion(model(x), y)
        if (i + 1) % every == 0:
            optimizer.zero_grad()
            waiting.backward()
            optimizer.step()
            waiting = 0
