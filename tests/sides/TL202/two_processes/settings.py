import os

STEPS = {}


def begin(name="MASTER_PORT"):
    os.environ[name] = "1"
    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ["WORLD_SIZE"] = "2"
    STEPS["WORLD_SIZE"] = "1"
