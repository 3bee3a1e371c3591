"""A folder of small results that processes share, and that outlives them: ``.trainlint_cache`` in the project.

An entry is data (JSON) under a key that is made of everything it depends on; who asks for it never learns more than whether it
is there. Nothing in the folder is trusted: an entry is signed with a secret that is kept beside the user's other caches, so
that one which came with a repository, or was damaged, is no entry. Links are not followed out of the folder. Whatever goes
wrong (a tree that cannot be written to, a full disk), there is no cache then, and no error.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import secrets
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = ".trainlint_cache"
#: Bytes: nothing larger is written or read.
_LARGEST = 64 << 20
#: So many entries are kept, the newest.
_MOST = 32
_SIGNATURE = hashlib.sha256().digest_size
_SECRET = 32
_KEY_DIGITS = frozenset("0123456789abcdef")
_SUFFIX = ".json"
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# What trainlint remembers. It may be deleted at any time.\n"
#: Seconds: so long is waited for another process that works on the same; and between two looks whether it is done.
_PATIENCE, _GLANCE = 60.0, 0.05
#: No link is followed, a pipe is not waited for, and Windows changes no line ends.
_AS_IT_IS = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))


def _is_wanted() -> bool:
    """Whether the environment lets results be kept; ``TRAINLINT_NO_CACHE`` with any value but 0 forbids it."""
    return os.environ.get("TRAINLINT_NO_CACHE", "0") in ("", "0") and not os.environ.get("TRAINLINT_RAISE")


def cache_in(root: Path) -> Cache | None:
    """The cache of the project in a folder; None when there can be none, or the user wants none."""
    if not _is_wanted():
        return None
    named = os.environ.get("TRAINLINT_CACHE_DIR")
    try:
        secret = _secret()
        folder = Path(os.path.abspath(named)) if named else root / FOLDER  # noqa: PTH100 - as the variable says
        folder.mkdir(exist_ok=True, parents=True)
        if not stat.S_ISDIR(folder.lstat().st_mode):  # a link may lead anywhere
            return None
        for name, text in (("CACHEDIR.TAG", _TAG), (".gitignore", "*\n")):
            with contextlib.suppress(FileExistsError), (folder / name).open("x", encoding="utf-8") as file:
                file.write(text)
    except (OSError, RuntimeError):  # RuntimeError: there is no home
        return None
    return Cache(folder, secret)


class Cache:
    """Entries by key (hexadecimal digits)."""

    def __init__(self, folder: Path, secret: bytes) -> None:
        self._folder = folder
        self._key = secret

    def read(self, key: str) -> Any:
        """What was written under a key; None when there is nothing that we wrote."""
        try:
            descriptor = os.open(self._path(key, _SUFFIX), os.O_RDONLY | _AS_IT_IS)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    return None
                data = file.read(_LARGEST + 1)
        except OSError:
            return None
        signature, text = data[:_SIGNATURE], data[_SIGNATURE:]
        if len(data) > _LARGEST or not hmac.compare_digest(signature, self._sign(key, text)):
            return None
        return json.loads(text)

    def write(self, key: str, value: Any) -> None:
        """Keep a value; the oldest entries go."""
        text = json.dumps(value, separators=(",", ":")).encode()
        if len(text) + _SIGNATURE > _LARGEST:
            return
        name = None
        try:
            descriptor, name = tempfile.mkstemp(suffix=".tmp", dir=self._folder)
            with os.fdopen(descriptor, "wb") as file:
                file.write(self._sign(key, text) + text)
            os.replace(name, self._path(key, _SUFFIX))  # noqa: PTH105 - a link there is replaced, not followed
            self._prune()
        except OSError:
            if name is not None:
                with contextlib.suppress(OSError):
                    os.unlink(name)  # noqa: PTH108

    @contextlib.contextmanager
    def alone(self, key: str) -> Iterator[None]:
        """While this lasts no other process that asks has the same key: who comes second waits, and may read then.

        Where that cannot be had, or takes too long, everybody goes on.
        """
        try:
            descriptor = os.open(self._path(key, ".lock"), os.O_RDWR | os.O_CREAT | _AS_IT_IS, 0o600)
        except OSError:
            yield
            return
        try:
            end = time.monotonic() + _PATIENCE
            while not _locked(descriptor) and time.monotonic() < end:
                time.sleep(_GLANCE)
            yield
        finally:
            os.close(descriptor)

    def _path(self, key: str, suffix: str) -> Path:
        assert _KEY_DIGITS.issuperset(key), key
        return self._folder / f"{key}{suffix}"

    def _sign(self, key: str, text: bytes) -> bytes:
        return hmac.digest(self._key, key.encode() + b"\0" + text, "sha256")

    def _prune(self) -> None:
        """Delete the oldest entries, their locks, and what was left behind by a process that died."""
        with os.scandir(self._folder) as entries:
            ages = sorted((entry.stat(follow_symlinks=False).st_mtime, entry.name) for entry in entries)
        kept = {name.removesuffix(_SUFFIX) for _, name in [one for one in ages if one[1].endswith(_SUFFIX)][-_MOST:]}
        long_ago = time.time() - 2 * _PATIENCE
        for age, name in ages:
            stem, dot, kind = name.rpartition(".")
            stale = kind in ("tmp", "lock") and age < long_ago
            if stem and dot and stem not in kept and (kind == "json" or stale):
                with contextlib.suppress(OSError):
                    os.unlink(self._folder / name)  # noqa: PTH108


def _locked(descriptor: int) -> bool:
    """Take the lock of an open file, if nobody has it; the system gives it back when the file is closed."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _secret() -> bytes:
    """What entries are signed with: made once for each user, and readable by nobody else. Raises OSError or RuntimeError."""
    path = _own_folder() / "key"
    for _ in range(2):
        with contextlib.suppress(FileNotFoundError):
            known = path.read_bytes()
            if len(known) == _SECRET:
                return known
            path.unlink()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(_SECRET))
        try:
            with contextlib.suppress(FileExistsError):
                os.link(name, path)  # who comes second takes what is there
        finally:
            os.unlink(name)  # noqa: PTH108
    raise OSError("the secret cannot be kept")


def _own_folder() -> Path:
    """Where the system wants programs to keep what is a user's own and can be made again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "trainlint"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "trainlint"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trainlint"
