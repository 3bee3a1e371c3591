"""Losses in named tuples and dataclasses: kept in them, and read from what a step returns in one."""

from collections import namedtuple
from dataclasses import dataclass
from typing import Any, NamedTuple

Row = namedtuple("Row", ["step", "loss"])
Pair = namedtuple("Pair", "loss, seen")


@dataclass
class Result:
    loss: Any
    seen: int = 0
    score: float = 0.0


class Entry(NamedTuple):
    step: int
    loss: Any


class Table:
    def __init__(self):
        self.rows = []

    def record(self, step, loss):
        self.rows.append(Row(step, loss))


class Fitter:
    def one(self, batch):
        loss = self.criterion(self.net(batch[0]), batch[1])
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return Result(loss, seen=len(batch[0]), score=loss.item())

    def two(self, batch):
        loss = self.criterion(self.net(batch[0]), batch[1])
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return Pair(loss, len(batch[0]))

    def three(self, batch):
        loss = self.criterion(self.net(batch[0]), batch[1])
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return {"loss": loss, "size": float(len(batch[0]))}

    def run(self, batches):
        losses, seen, entries, results, table = [], [], [], [], Table()
        sums = {"loss": 0.0, "size": 0.0}
        sizes = {"size": 0.0}
        for step, batch in enumerate(batches):
            result = self.one(batch)
            losses.append(result.loss)  # expect: TL301
            seen.append(result.seen)
            losses.append(result.score)
            losses.append(self.two(batch).loss)  # expect: TL301
            losses.append(self.two(batch).seen)
            losses.append(result.loss.item())
            entries.append(Entry(step, loss=result.loss))  # expect: TL301
            entries.append(Entry(step, loss=result.loss.detach()))
            results.append(result)  # expect: TL301
            table.record(step, result.loss)  # expect: TL301
            table.record(step, result.score)
            out = self.three(batch)
            for name in sizes:
                sizes[name] += out[name]
            for name in ("size",):
                seen.append(out[name])
            for name in sums:
                losses.append(out[name])  # expect: TL301
        return losses, seen, entries, results, sizes
