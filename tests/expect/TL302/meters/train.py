from meters import AverageMeter, Careful, Converting, Detaching, Smoothed


def epoch(model, loader, criterion, optimizer):
    losses, smooth = AverageMeter(), Smoothed(0.9)
    careful, detaching, converting = Careful(), Detaching(), Converting()
    values, lengths = AverageMeter(), AverageMeter()
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.update(loss, x.size(0))  # expect: TL302
        smooth.record(value=loss)  # expect: TL302
        careful.update(loss, x.size(0))
        detaching.update(loss)
        converting.update(loss)
        values.update(loss.item(), x.size(0))
        lengths.update(x.size(1))
    return losses.avg


class Trainer:
    def __init__(self, model, optimizer, criterion):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.losses = AverageMeter()

    def fit(self, loader, epochs):
        for _ in range(epochs):
            self.losses.reset()
            for x, y in loader:
                loss = self.criterion(self.model(x), y)
                loss.backward()
                self.optimizer.step()
                self.optimizer.zero_grad()
                self.losses.update(loss)  # expect: TL302
            print(self.losses.avg)
