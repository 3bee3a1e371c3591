"""The parts that `random_split` returns are read by index, whatever they are parts of, and have no order that is meant."""

from torch.utils.data import DataLoader, random_split


def plain(data, model, optimizer, epochs):
    size = int(0.8 * len(data))
    known, held_out = random_split(data, [size, len(data) - size])
    loader = DataLoader(known, batch_size=4)  # expect: TL216
    val_loader = DataLoader(held_out, batch_size=4)
    for _ in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        for batch in val_loader:
            print(model(batch).mean())


def make_loaders(make, batch_size, share, **options):
    data = make(**options)
    parts = random_split(data, [1 - share, share])
    return DataLoader(parts[0], batch_size=batch_size), DataLoader(parts[1], batch_size=batch_size)  # expect: TL216


def train(model=None, loader=None, optimizer=None, epochs=1):
    for _ in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()


def main(make, model, optimizer):
    loader, val_loader = make_loaders(make, 8, 0.1)
    train(model=model, loader=loader, optimizer=optimizer, epochs=3)
    for batch in val_loader:
        print(model(batch).mean())


def shuffled(data, model, optimizer, epochs):
    known, _ = random_split(data, [0.9, 0.1])
    loader = DataLoader(known, batch_size=4, shuffle=True)
    for _ in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()


def in_parts_of_their_own(divide, data, model, optimizer, epochs):
    known, _ = divide(data, [0.9, 0.1])
    loader = DataLoader(known, batch_size=4)
    for _ in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
