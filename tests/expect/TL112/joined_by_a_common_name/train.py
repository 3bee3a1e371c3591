"""A job that is joined by a call with a name of most files; what writes stands in a file that says nothing of jobs."""

import horovod.tensorflow as hvd
from prepared import read_or_prepare


def main(folder):
    hvd.init()
    rows = read_or_prepare(folder)
    print(hvd.rank(), len(rows))


if __name__ == "__main__":
    main("data")
