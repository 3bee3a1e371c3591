"""Errors of the compiler that are hidden, and how somebody may have asked for that."""

import os
import sys
import warnings

import torch
import torch._dynamo


def always():
    torch._dynamo.config.suppress_errors = True  # expect: TL561


def other_setting():
    torch._dynamo.config.verbose = True


def on_windows():
    if sys.platform == "win32":
        torch._dynamo.config.suppress_errors = True  # expect: TL561


def where_asked(suppress_errors):
    if suppress_errors:
        torch._dynamo.config.suppress_errors = True


def suppress_compile_errors():
    torch._dynamo.config.suppress_errors = True


def behind_a_failure(model):
    try:
        return torch.compile(model)
    except RuntimeError:
        torch._dynamo.config.suppress_errors = True
        return model


def told(level):
    if level > 3:
        warnings.warn("errors of the compiler are hidden")
        torch._dynamo.config.suppress_errors = True


def untold(level):
    if level > 3:
        level = 3
        torch._dynamo.config.suppress_errors = True  # expect: TL561


def relax():
    torch._dynamo.config.suppress_errors = True


def main(args):
    if args.suppress_errors:
        relax()


def loosen():
    torch._dynamo.config.suppress_errors = True  # expect: TL561


def other_main(args):
    if args.fast:
        loosen()


def soften():
    torch._dynamo.config.suppress_errors = True  # expect: TL561


def mixed_main(args):
    if args.suppress_errors:
        soften()
    soften()


def disabled_besides():
    torch._dynamo.config.disable = True
    torch._dynamo.config.suppress_errors = True


def from_environment():
    if os.environ.get("SUPPRESS_ERRORS"):
        torch._dynamo.config.suppress_errors = True
