"""A step, which others call for an optimizer each."""


def apply(loss, optimizer):
    loss.backward()
    optimizer.step()  # expect-likely: TL701


def apply_own(loss, optimizer):
    loss.backward()
    optimizer.step()
