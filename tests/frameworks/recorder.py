"""Records what a framework does with the methods of a class: when it runs them, with gradients or not, in which mode.

Knows no framework and nothing of trainlint: it runs in an environment that has the framework. Whoever uses it derives a class
whose hooks are recorded (:meth:`Recorder.recorded`), trains with it, and prints what :meth:`Recorder.seen` has found.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable
from typing import Any

#: What the tests ask for.
GIVEN: dict[str, Any] = json.loads(sys.argv[1])
#: What each run does: epochs, batches of training in each, batches for one step of the optimizer, batches of an evaluation, of
#: which there is one for each epoch.
EPOCHS, BATCHES, WINDOW, EVALUATED = 2, 4, 2, 3
#: How often something runs, and the word for it.
TIMES = {
    1: "run",
    EPOCHS: "epoch",
    EPOCHS * BATCHES // WINDOW: "step",
    EPOCHS * BATCHES: "batch",
    EPOCHS * EVALUATED: "evaluated-batch",
}


class Recorder:
    """What is seen of the hooks of one run. ``model`` is the torch module that is trained, once it is known."""

    def __init__(self) -> None:
        self.hooks: list[str] = GIVEN["hooks"]
        self.carried: dict[str, list[str]] = GIVEN["graphs"]
        self.disturbing: list[str] = GIVEN["disturbing"]
        self.model: Any = None
        self.is_traced: Callable[[], bool] = lambda: False
        self.rows: dict[str, list[dict[str, Any]]] = {name: [] for name in self.hooks}
        self.order: list[str] = []

    def recorded(self, cls: type, name: str, plain: Any = None) -> type:
        """A class derived from ``cls`` that runs the same, and records each method that the tables know of ``name``.

        ``plain`` is what a method does that ``cls`` itself does not have.
        """
        methods = {}
        for hook in self.hooks:
            owner, _, method = hook.rpartition(".")
            own = getattr(cls, method, plain)
            if owner == name and own is not None:
                methods[method] = self._wrapped(hook, own)
        return type(cls.__name__, (cls,), {**methods, "__module__": cls.__module__})

    def watched(self, hook: str, function: Any) -> Any:
        """A function that is recorded under this name."""
        return self._wrapped(hook, function)

    def _wrapped(self, hook: str, function: Any) -> Any:
        signature = inspect.signature(function)

        def run(*args: Any, **kwargs: Any) -> Any:
            row = self._begin(hook, signature, args, kwargs)
            result = function(*args, **kwargs)
            self._watch(row, result)
            if hook in self.disturbing and self.model is not None:
                self.model.eval()
            return result

        # No functools.wraps: Lightning takes what wraps its own method for the method itself.
        run.__name__ = hook.rpartition(".")[2]
        run.__dict__["__signature__"] = signature
        return run

    def _begin(self, hook: str, signature: inspect.Signature, args: Any, kwargs: Any) -> dict[str, Any]:
        torch = sys.modules.get("torch")
        row: dict[str, Any] = {
            "gradients": None if torch is None else torch.is_grad_enabled(),
            "training": None if self.model is None else bool(self.model.training),
            "autocast": None if torch is None else torch.is_autocast_enabled("cpu"),
            "traced": self.is_traced(),
            "backward": False,
            "graphs": [],
        }
        bound = signature.bind(*args, **kwargs).arguments
        for variable in ("kwargs", "_"):
            bound.update(bound.get(variable) or {})
        for path in self.carried.get(hook, ()):
            first, *rest = path.split(".")
            value: Any = list(bound.values())[int(first)] if first.isdigit() else bound.get(first)
            for part in rest:
                value = value.get(part) if isinstance(value, dict) else getattr(value, part, None)
            if getattr(value, "grad_fn", None) is not None:
                row["graphs"].append(path)
        if hook not in self.order:
            self.order.append(hook)
        self.rows[hook].append(row)
        return row

    def _watch(self, row: dict[str, Any], result: Any) -> None:
        """Notes a backward pass through the number that a hook returned, the first of several, or the loss of a dict."""
        first = result
        if isinstance(first, dict):
            first = first.get("loss")
        elif isinstance(first, (tuple, list)) and first:
            first = first[0]
        if getattr(first, "requires_grad", False) and first.ndim == 0:
            first.register_hook(lambda _: row.update(backward=True))

    def found(self) -> dict[str, Any]:
        """What was found of each hook, and the order in which they first ran."""
        found = {}
        for hook, rows in self.rows.items():
            if rows:
                found[hook] = {
                    "times": len(rows),
                    "gradients": sorted({row["gradients"] for row in rows}, key=str),
                    "training": sorted({row["training"] for row in rows}, key=str),
                    "autocast": sorted({row["autocast"] for row in rows}, key=str),
                    "traced": all(row["traced"] for row in rows),
                    "backward": any(row["backward"] for row in rows),
                    "graphs": sorted({path for row in rows for path in row["graphs"]}),
                }
        return {"hooks": found, "order": self.order}

    def seen(self, version: str) -> None:
        """Prints that as one line of JSON."""
        print("SEEN " + json.dumps({"version": version, **self.found()}))
