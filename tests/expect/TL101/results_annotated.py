"""What a function returns is out of sight, and its annotation says that it is an accelerator."""

import accelerate
from accelerate import Accelerator

_current = None


def use(accelerator):
    global _current
    _current = accelerator


def current() -> Accelerator:
    return _current


def perhaps() -> "Accelerator | None":
    return _current


def qualified() -> accelerate.Accelerator:
    return _current


class Session:
    def get(self) -> Accelerator | None:
        return self.registry["accelerator"]


def finish(report):
    boss = current()
    if boss.is_main_process:
        report()
        boss.wait_for_everyone()  # expect: TL101


def restart(session, report):
    session = Session()
    if session.get().is_main_process:
        session.get().wait_for_everyone()  # expect: TL101
    one = qualified()
    if not one.is_main_process:
        return
    report(one)
    one.wait_for_everyone()  # expect: TL102
