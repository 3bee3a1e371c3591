"""Files written so that nobody ever sees half of one, and nothing that somebody else has written is lost.

The new bytes go into a file without a name (where the system has such files), which goes away by itself when the run is killed
or the disk is full. Only when all of them are on the disk does it get a name, and in the same moment the place of the old file.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import time
import zlib
from pathlib import Path

#: So many seconds a name is left to another run: what is older was left behind by one that was killed in that moment.
_STALE = 5.0
_PAUSE = 0.01


class ChangedMeanwhile(OSError):
    """The file on the disk is no longer the one that was read."""


def write_atomically(path: Path, data: bytes, before: bytes | None = None) -> None:
    """Replace the content of ``path`` by ``data`` in one step, keeping mode and owner; of a symlink, that of what it leads to.

    ``before`` is what was read from it: raises :class:`ChangedMeanwhile` when that is not its content any more (None: whatever
    it holds, and though there is none). Another name of the same file (a hard link) keeps the old content. Raises ``OSError``
    when it is not possible; the file then has its old content and nothing is left beside it.
    """
    target = Path(os.path.realpath(path))
    found = _status(target)
    descriptor, name = _temporary(target)
    try:
        with os.fdopen(descriptor, "wb", closefd=False) as file:
            file.write(data)
        _keep_owner_and_mode(descriptor, found)
        os.fsync(descriptor)
        name = name or _named(descriptor, target)
        _still(target, before)
        name.replace(target)
    except BaseException:
        if name is not None:
            name.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)
    _sync_folder(target.parent)


def _status(target: Path) -> os.stat_result | None:
    """What is known of the file, None when there is none; ``PermissionError`` when its owner made it read-only."""
    try:
        found = target.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise OSError(f"not a regular file: {target}")
    if not os.access(target, os.W_OK) or not found.st_mode & 0o222:  # root may write everything
        raise PermissionError(f"not writable: {target}")
    return found


def _temporary(target: Path) -> tuple[int, Path | None]:
    """A new file in the target's folder, open for writing: without a name, else (some systems and disks) with one."""
    if hasattr(os, "O_TMPFILE"):
        try:
            return os.open(target.parent, os.O_TMPFILE | os.O_WRONLY, 0o600), None
        except (FileNotFoundError, PermissionError):
            raise
        except OSError:
            pass  # this disk has no files without a name
    descriptor, name = tempfile.mkstemp(prefix=".trainlint-", suffix=".tmp", dir=target.parent)
    return descriptor, Path(name)


def _named(descriptor: int, target: Path) -> Path:
    """Give the file a name, which only one run at a time can hold for a target."""
    name = target.parent / f".trainlint-{zlib.crc32(os.fsencode(target.name)):08x}.tmp"
    while True:
        try:
            os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=descriptor)  # any src_dir_fd makes it follow the link
        except FileExistsError:
            _wait_for(name)
        else:
            return name


def _wait_for(name: Path) -> None:
    """Wait a moment until another run has done with a name; take away what a killed one has left."""
    try:
        age = time.time() - name.stat().st_ctime
    except FileNotFoundError:
        return
    if age > _STALE:
        name.unlink(missing_ok=True)
    else:
        time.sleep(_PAUSE)


def _keep_owner_and_mode(descriptor: int, found: os.stat_result | None) -> None:
    if found is None:
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(descriptor, 0o666 & ~mask)
        return
    made = os.fstat(descriptor)
    if (made.st_uid, made.st_gid) != (found.st_uid, found.st_gid):
        with contextlib.suppress(OSError):  # only root may give a file away; the content counts more
            os.fchown(descriptor, found.st_uid, found.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(found.st_mode))


def _still(target: Path, before: bytes | None) -> None:
    """Nothing, if the file holds what was read from it; else :class:`ChangedMeanwhile`."""
    try:
        now = None if before is None else target.read_bytes()
    except OSError as error:
        raise ChangedMeanwhile("it cannot be read any more") from error
    if now != before:
        raise ChangedMeanwhile("somebody else has changed it since it was read")


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power failure, where the system lets folders be synchronised."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)
