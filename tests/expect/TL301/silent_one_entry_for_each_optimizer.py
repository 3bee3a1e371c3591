"""A loop over the optimizers fills a dict of its own: as many entries as there are optimizers, in one step."""


class Solver:
    def __init__(self, model, parts):
        self.model, self.parts = model, parts

    def step(self, batch):
        found = {}
        for name, part in self.parts.items():
            out = self.model(batch, name)
            part["optimizer"].zero_grad()
            out["loss"].backward()
            part["optimizer"].step()
            found[name] = {key: value for key, value in out.items() if "loss" in key}
        return found

    def step_list(self, batch):
        found = []
        for optimizer in self.parts["optimizers"]:
            loss = self.model(batch)
            loss.backward()
            optimizer.step()
            found.append(loss)
        return found
