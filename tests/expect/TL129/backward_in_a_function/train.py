"""The backward pass is in a function that is called under `no_sync()`."""

from torch.nn.parallel import DistributedDataParallel as DDP


def take(loss):
    loss.backward()  # expect: TL129


def take_with_its_forward(model, criterion, x, y):
    loss = criterion(model(x), y)
    loss.backward()


def train(net, criterion, optimizer, micro_batches, last, rank):
    model = DDP(net.to(rank), device_ids=[rank])
    optimizer.zero_grad()
    for x, y in micro_batches:
        loss = criterion(model(x), y)
        with model.no_sync():
            take(loss)
    criterion(model(last[0]), last[1]).backward()
    optimizer.step()


def train_right(net, criterion, optimizer, micro_batches, last, rank):
    model = DDP(net.to(rank), device_ids=[rank])
    optimizer.zero_grad()
    for x, y in micro_batches:
        with model.no_sync():
            take_with_its_forward(model, criterion, x, y)
    take_with_its_forward(model, criterion, last[0], last[1])
    optimizer.step()
