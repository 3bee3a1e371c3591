"""The models of files that were lowered in earlier runs: loading one takes a tenth of parsing and lowering its file.

They are kept as pickles, in a few entries of the :mod:`trainlint.engine.cache`, so that an edit has one of these read and written
again. An entry is signed with the user's secret, so only we have written it; what it may make of it all the same are things of
ours and nothing else.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import zlib
from collections.abc import Mapping
from typing import Any

from trainlint.engine.cache import MODELS, Cache
from trainlint.ir.sketch import Module
from trainlint.source.deep import run_deep

#: The models are spread over so many entries.
_PARTS = 8
#: So many models of one file are kept: those of its last states.
_MOST = 3
_PLAIN = frozenset((("builtins", "complex"), ("builtins", "Ellipsis")))


class _Loading(pickle.Unpickler):
    """Makes what our own modules have, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] == "trainlint" or (module, name) in _PLAIN:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is none of ours")


def packed(value: object) -> bytes:
    """A thing of ours as bytes. Raises whatever pickle does for one that cannot travel."""
    return zlib.compress(run_deep(lambda: pickle.dumps(value, pickle.HIGHEST_PROTOCOL)), 1)


def unpacked(data: bytes) -> Any:
    """What :func:`packed` made into bytes. Only for bytes that are known to be ours. ValueError: they have another form."""
    try:
        text = zlib.decompress(data)
        return run_deep(_Loading(io.BytesIO(text)).load)
    except Exception as error:
        raise ValueError from error


class KeptModels:
    """The last models of each file, by its path and what it held (``digests``: now). ``name`` is that of the entries."""

    def __init__(self, cache: Cache, name: str, digests: Mapping[str, str]) -> None:
        self._cache = cache
        self._name = name
        self._digests = digests
        self._parts: dict[int, dict[str, dict[str, bytes]]] = {}
        self._new: dict[str, bytes] = {}

    def model(self, path: str, digest: str) -> Module | None:
        """The model of a file when it held this; None when it is not known."""
        data = self._part(_number(path)).get(path, {}).get(digest)
        if data is None:
            return None
        try:
            model = unpacked(data)
        except ValueError:
            return None
        return model if isinstance(model, Module) and model.path == path else None

    def note(self, module: Module) -> None:
        """Keep a model that was made just now, before anybody asks it anything."""
        try:
            self._new[module.path] = packed(module)
        except Exception:  # noqa: BLE001 - pickle raises what it likes; then it is lowered each time
            self._new.pop(module.path, None)

    def save(self) -> None:
        """Keep what is new for the next run; models of files that are gone are left out."""
        for number in sorted({_number(path) for path in self._new}):
            part = {path: kept for path, kept in self._part(number).items() if path in self._digests}
            for path, data in self._new.items():
                if _number(path) == number:
                    last = [each for each in part.get(path, {}).items() if each[0] != self._digests[path]][1 - _MOST :]
                    part[path] = dict([*last, (self._digests[path], data)])
            self._cache.write_bytes(self._key(number), pickle.dumps(part, pickle.HIGHEST_PROTOCOL), MODELS)

    def _part(self, number: int) -> dict[str, dict[str, bytes]]:
        if number not in self._parts:
            self._parts[number] = {}
            data = self._cache.read_bytes(self._key(number), MODELS)
            if data is not None:
                try:
                    part = _Loading(io.BytesIO(data)).load()
                except Exception:  # noqa: BLE001 - as above
                    part = None
                if isinstance(part, dict):
                    self._parts[number] = part
        return self._parts[number]

    def _key(self, number: int) -> str:
        return hashlib.sha256(f"models {number} {self._name}".encode()).hexdigest()


def _number(path: str) -> int:
    return hashlib.sha256(path.encode("utf-8", "surrogateescape")).digest()[0] % _PARTS
