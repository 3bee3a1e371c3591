"""Holds something and goes on with it."""


class Wrapped:
    def __init__(self, inner):
        self.inner = inner

    def go(self):
        self.inner.step()
