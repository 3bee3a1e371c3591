"""The epochs: first the learning rate, then the batches."""

from engine import Engine


def main(model, loader, epochs):
    engine = Engine(model, 3e-4, epochs)
    for _ in range(epochs):
        engine.update_lr()
        for batch in loader:
            print(engine.forward_backward(batch)["loss"])
