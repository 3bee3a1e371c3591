"""Rank 0 serves from a thread; the others receive in an endless loop. The partners stand in different functions.

facebookresearch/metaseq @ 1f73f573c210 : metaseq_cli/interactive_hosted.py:136, :178, :191
"""

import queue
import threading

import torch.distributed as dist

REQUESTS: queue.Queue = queue.Queue()


def batching_loop(generator):
    while True:
        request = REQUESTS.get()
        dist.broadcast_object_list([request], src=0)
        generator.generate(request)


def worker_main(generator):
    if dist.get_rank() == 0:
        thread = threading.Thread(target=batching_loop, args=(generator,), daemon=True)
        thread.start()
        serve_forever()
    else:
        while True:
            request = [None]
            dist.broadcast_object_list(request, src=0)
            generator.generate(request[0])


def serve_forever():
    threading.Event().wait()
