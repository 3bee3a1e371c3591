"""Several optimizers behind one interface: drawn from lists that were put one behind the other."""


class Optimizers:
    def __init__(self, dense_opts, sparse_opts):
        self.dense_opts = dense_opts
        self.sparse_opts = sparse_opts

    def zero_grad(self):
        for each in self.dense_opts + self.sparse_opts:
            each.zero_grad()

    def step(self, sparse=True):
        chosen = self.dense_opts + self.sparse_opts if sparse else self.dense_opts
        for each in chosen:
            each.step()
