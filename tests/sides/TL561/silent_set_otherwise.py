"""A file that sets it to something else as well."""

import torch
import torch._dynamo


def always():
    torch._dynamo.config.suppress_errors = True


def not_at_all():
    torch._dynamo.config.suppress_errors = False


def as_somebody_says(flag):
    torch._dynamo.config.suppress_errors = flag
