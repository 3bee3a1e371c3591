"""``xla.py PROGRAM STEPS``: train what the program trains on XLA's CPU device and print, as JSON, what that did.

How many programs were compiled, how often one was run, how often the host fetched something; ``sync`` runs what was left over.
"""

from __future__ import annotations

import json
import os
import runpy
import sys

os.environ["PJRT_DEVICE"] = "CPU"

if __name__ == "__main__":
    import torch_xla
    import torch_xla.debug.metrics as met

    def counted() -> dict[str, int]:
        found = {}
        for name, metric in (("compiled", "CompileTime"), ("run", "ExecuteTime"), ("fetched", "TransferFromDeviceTime")):
            data = met.metric_data(metric)
            found[name] = 0 if data is None else data[0]
        return found

    kept = runpy.run_path(sys.argv[1])["train"](int(sys.argv[2]))  # what it returns may wait to be computed
    torch_xla.sync(wait=True)
    print(json.dumps(counted()))
