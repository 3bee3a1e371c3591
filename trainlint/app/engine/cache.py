"""A folder of small results that processes share, and that outlives them: ``.trainlint_cache`` in the project.

An entry is data (JSON, or bytes that only who keeps them can read) under a key that is made of everything it depends on; who asks
for it never learns more than whether it is there. Nothing in the folder is trusted: an entry is signed with a secret that is
kept beside the user's other caches, so that one which came with a repository, or was damaged, is no entry. Links are not followed
out of the folder. Whatever goes wrong (a tree that cannot be written to, a full disk), there is no cache then, and no error.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import re
import secrets
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trainlint.regular import absolute_path

FOLDER = ".trainlint_cache"
#: Bytes: nothing larger is written or read.
_LARGEST = 64 << 20
#: What the names of entries end in: whole runs, what is known of single files, and their models. So many of each are kept, the
#: newest.
RUN, FILES, MODELS = ".json", ".files", ".models"
_MOST = {RUN: 32, FILES: 16, MODELS: 64}
#: All of them together have so many bytes at most, and none is kept for more seconds than this after it was written (60 days).
_MOST_BYTES, _OLDEST = 256 << 20, 60 * 24 * 3600
_SIGNATURE = hashlib.sha256().digest_size
_SECRET = 32
_KEY_DIGITS = frozenset("0123456789abcdef")
#: The names of everything that we put into the folder.
_OWN = re.compile(r"[0-9a-f]{64}\.(?:json|files|models|lock)|trainlint-[a-z0-9_]{8}\.tmp|CACHEDIR\.TAG|\.gitignore")
TAG = "CACHEDIR.TAG"
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# What trainlint remembers. It may be deleted at any time.\n"
#: Seconds: so long is waited for another process that works on the same; and between two looks whether it is done.
_PATIENCE, _GLANCE = 60.0, 0.05
#: No link is followed, a pipe is not waited for, and Windows changes no line ends.
_AS_IT_IS = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))


def _is_wanted() -> bool:
    """Whether the environment lets results be kept; ``TRAINLINT_NO_CACHE`` with any value but 0 forbids it."""
    return os.environ.get("TRAINLINT_NO_CACHE", "0") in ("", "0") and not os.environ.get("TRAINLINT_RAISE")


def folder_for(project: Path, root: Path, named: str | None, *, given: bool) -> Path | None:
    """The folder of the cache of a project; None when it may not be where the configuration wants it.

    ``named`` is what the settings say, relative to the configuration's folder ``root``; ``given`` says that it was said on the
    command line. Such a place, and that of ``TRAINLINT_CACHE_DIR``, may be anywhere. A configuration may have come with the code
    that is checked: what it names must lie in its folder, links and all.
    """
    variable = os.environ.get("TRAINLINT_CACHE_DIR")
    if variable and not given:
        return Path(absolute_path(variable))  # as the variable says
    folder = root / named if named else project / FOLDER
    if named and not given and not Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(root)):
        return None
    return folder


def cache_in(folder: Path) -> Cache | None:
    """The cache in a folder, which is made; None when there can be none, or the user wants none, or it is a folder of others."""
    if not _is_wanted():
        return None
    try:
        secret = _secret()
        folder.mkdir(exist_ok=True, parents=True)
        if not stat.S_ISDIR(folder.lstat().st_mode):  # a link may lead anywhere
            return None
        if not is_ours(folder):
            if any(folder.iterdir()):
                return None
            with (folder / TAG).open("x", encoding="utf-8") as file:
                file.write(_TAG)
        with contextlib.suppress(FileExistsError), (folder / ".gitignore").open("x", encoding="utf-8") as file:
            file.write("*\n")
    except FileExistsError:
        return None if not is_ours(folder) else Cache(folder, secret)  # another process made it just now
    except (OSError, RuntimeError):  # RuntimeError: there is no home
        return None
    return Cache(folder, secret)


def is_ours(folder: Path) -> bool:
    """Whether a folder (and no link to one) is marked as a cache of ours."""
    try:
        descriptor = os.open(folder / TAG, os.O_RDONLY | _AS_IT_IS)
        with os.fdopen(descriptor, "rb") as file:
            # All of it, or as much as another process has written by now.
            marked = stat.S_ISREG(os.fstat(descriptor).st_mode) and _TAG.encode().startswith(file.read(len(_TAG) + 1))
        return marked and stat.S_ISDIR(folder.lstat().st_mode)
    except OSError:
        return False


def remove(folder: Path) -> list[str]:
    """Remove what we keep in a folder of ours, and the folder; returned are the names of what is not ours, and stays.

    Raises OSError when something cannot be removed.
    """
    with os.scandir(folder) as entries:
        every = {entry.name: bool(_OWN.fullmatch(entry.name)) and not entry.is_dir(follow_symlinks=False) for entry in entries}
    others = sorted(name for name, is_own in every.items() if not is_own)
    for name, is_own in every.items():
        if is_own and not (others and name == TAG):
            (folder / name).unlink(missing_ok=True)
    if not others:
        folder.rmdir()
    return others


class Cache:
    """Entries by key (hexadecimal digits)."""

    def __init__(self, folder: Path, secret: bytes) -> None:
        self._folder = folder
        self._key = secret

    def read(self, key: str, kind: str = RUN) -> Any:
        """What was written under a key; None when there is nothing that we wrote."""
        text = self.read_bytes(key, kind)
        return None if text is None else json.loads(text)

    def read_bytes(self, key: str, kind: str) -> bytes | None:
        """The bytes that were written under a key; None when there are none that we wrote."""
        try:
            descriptor = os.open(self._path(key, kind), os.O_RDONLY | _AS_IT_IS)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    return None
                data = file.read(_LARGEST + 1)
        except OSError:
            return None
        signature, text = data[:_SIGNATURE], data[_SIGNATURE:]
        if len(data) > _LARGEST or not hmac.compare_digest(signature, self._sign(key + kind, text)):
            return None
        return text

    def write(self, key: str, value: Any, kind: str = RUN) -> None:
        """Keep a value; the oldest entries go."""
        self.write_bytes(key, json.dumps(value, separators=(",", ":")).encode(), kind)

    def write_bytes(self, key: str, text: bytes, kind: str) -> None:
        """Keep bytes; the oldest entries go."""
        if len(text) + _SIGNATURE > _LARGEST:
            return
        name = None
        try:
            descriptor, name = tempfile.mkstemp(prefix="trainlint-", suffix=".tmp", dir=self._folder)
            with os.fdopen(descriptor, "wb") as file:
                file.write(self._sign(key + kind, text) + text)
            os.replace(name, self._path(key, kind))  # noqa: PTH105 - a link there is replaced, not followed
            self._prune()
        except OSError:
            if name is not None:
                with contextlib.suppress(OSError):
                    os.unlink(name)  # noqa: PTH108

    @contextlib.contextmanager
    def alone(self, key: str, patience: float = _PATIENCE) -> Iterator[None]:
        """While this lasts no other process that asks has the same key: who comes second waits, and may read then.

        Where that cannot be had, or takes too long, everybody goes on.
        """
        try:
            descriptor = os.open(self._path(key, ".lock"), os.O_RDWR | os.O_CREAT | _AS_IT_IS, 0o600)
        except OSError:
            yield
            return
        try:
            end = time.monotonic() + min(patience, _PATIENCE)
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
        """Delete what is too old or too much, locks of what is gone, and what was left behind by a process that died."""
        now = time.time()
        with os.scandir(self._folder) as entries:
            every = [(entry.stat(follow_symlinks=False), entry.name) for entry in entries if _OWN.fullmatch(entry.name)]
        every.sort(key=lambda one: one[0].st_mtime, reverse=True)
        left, room = dict(_MOST), _MOST_BYTES
        kept: set[str] = set()
        for about, name in every:
            stem, _, end = name.rpartition(".")
            if left.get(f".{end}", 0) > 0:
                left[f".{end}"] -= 1
                room -= about.st_size
                if (room >= 0 or not kept) and about.st_mtime > now - _OLDEST:
                    kept.update((name, f"{stem}.lock"))
        for about, name in every:
            fleeting = name.endswith((".tmp", ".lock"))
            if name not in kept and name not in (TAG, ".gitignore") and (not fleeting or about.st_mtime < now - 2 * _PATIENCE):
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
