"""The names pass through two `__init__.py`, one of them renaming."""

import vision
from vision.comm import is_lead, meet


def finish(model, folder):
    if is_lead():
        model.save(folder)
        meet()  # expect: TL101


def finish_by_package(model, folder):
    if vision.is_lead():
        model.save(folder)
        vision.comm.meet()  # expect: TL101


if __name__ == "__main__":
    finish(None, "runs")
