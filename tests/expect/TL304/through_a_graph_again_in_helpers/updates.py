"""An update that others call."""


def update(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()  # expect: TL304
    optimizer.step()


def apply(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
