"""runs.py PROGRAM NUMBER…: what its `train(folder, number)` returns, run after run in one folder, or the class of what it raises.

A number with a size behind it (`5:100000`) is that of a run in which no file can be written beyond that many bytes, as on a
full disk.
"""

import json
import resource
import runpy
import signal
import sys
import tempfile

train = runpy.run_path(sys.argv[1])["train"]
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # the write fails instead
without = resource.getrlimit(resource.RLIMIT_FSIZE)
seen = []
with tempfile.TemporaryDirectory() as folder:
    for run in sys.argv[2:]:
        number, _, size = run.partition(":")
        if size:
            resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), without[1]))
        try:
            seen.append(train(folder, int(number)))
        except Exception as error:  # noqa: BLE001 - which one is the answer
            seen.append(type(error).__name__)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, without)
print(json.dumps(seen))
