"""One step."""


def apply(what):
    what.step()
