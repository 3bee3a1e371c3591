"""Predicate, wrapper and script in three files; the last step of the script is for all."""

import parallel
from parallel import leading, settle


def main(model, path):
    model.fit()
    if not leading():
        return
    model.save(path)
    settle()  # expect: TL102


def main_by_module(model, path):
    if not parallel.leading():
        return
    model.save(path)
    parallel.settle()  # expect: TL102


def right(model, path):
    settle()
    if not leading():
        return
    model.save(path)
