"""Nothing is set: no value is given, or nobody knows which variable it is."""

import os


def main(name, values):
    os.environ.setdefault("CUDA_LAUNCH_BLOCKING")
    os.environ.setdefault(name, "1")
    os.environ.setdefault(*values)
    os.putenv(name, "1")
    os.environ.update(values)
    os.environ[name] = "1"
