"""The loop."""

from engine import Engine


def main(model, loader, epochs):
    engine = Engine(model, 1e-4)
    for epoch in range(epochs):
        for batch in loader:
            loss = model(**batch).loss
            engine.backward(loss)
            engine.update(1.0)
        print(epoch, loss.item())
