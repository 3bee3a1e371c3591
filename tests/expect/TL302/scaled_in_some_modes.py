"""What is added is divided, or averaged over devices, in some modes only; it holds its graph either way."""


def train(model, loader, optimizer, devices, steps):
    total = 0.0
    for number, batch in enumerate(loader):
        loss = model(**batch).loss
        if devices > 1:
            loss = loss.mean()
        if steps > 1:
            loss = loss / steps
        loss.backward()
        total += loss  # expect: TL302
        if number % steps == 0:
            optimizer.step()
            optimizer.zero_grad()
    return total
