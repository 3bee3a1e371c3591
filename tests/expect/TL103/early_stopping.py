"""A loss that no rank shares decides when a rank stops."""

from torch.nn.parallel import DistributedDataParallel


def fit(network, loader, criterion, optimizer, epochs, patience):
    model = DistributedDataParallel(network)
    best, waited = float("inf"), 0
    for epoch in range(epochs):
        total = 0.0
        for inputs, targets in loader:
            optimizer.zero_grad()
            loss = criterion(model(inputs), targets)
            loss.backward()  # expect: TL103
            optimizer.step()
            total += loss.item()
        if total < best:
            best, waited = total, 0
        else:
            waited += 1
        if waited >= patience:
            print("stopping in", epoch)
            break
