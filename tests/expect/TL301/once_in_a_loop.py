"""A loss that is kept in one certain round only is one; in each round they are many."""


def train(model, loader, optimizer):
    kept, first, second, odd = [], [], [], []
    for step, batch in enumerate(loader):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        kept.append(loss)  # expect: TL301
        if step == 0:
            first.append(loss)
        if step == 1:
            print(step)
            second.append(loss)
        if step % 2 == 0:
            odd.append(loss)  # expect: TL301
    return kept, first, second, odd
