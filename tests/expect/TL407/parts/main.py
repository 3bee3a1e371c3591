from model import build, optimizer_of


def main(network, loader, criterion, device):
    net = build(network, device)
    optimizer = optimizer_of(net, 1e-3)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
