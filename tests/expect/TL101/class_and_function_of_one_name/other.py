"""Who uses it."""

from twice import Buffer


def made(size):
    return Buffer(size)
