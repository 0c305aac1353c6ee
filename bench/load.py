"""What else the machine does while something is measured."""
import contextlib
import os
import sys
import threading
import time

from measure import server_cpu

QUIET = 0.1         # cores that are busy on a machine that does nothing
DISTURBED = 0.15    # cores of others, or of the hypervisor's, that the report names
PATIENCE = 60       # seconds to wait for the others before a part, at most
patience = 600      # seconds, for all parts of a run


def busy():
    """Seconds of CPU that this machine has worked, and that its hypervisor gave to others."""
    user, nice, system, _, _, irq, softirq, steal = (int(n) / os.sysconf('SC_CLK_TCK') for n in open('/proc/stat').readline().split()[1:9])
    return user + nice + system + irq + softirq, steal


def ours():
    """Seconds of CPU of this process, of its children that have ended, and of the server"""
    return sum(os.times()[:4]) + server_cpu()


def wait_for_quiet():
    """Seconds waited until nothing else runs, or until there is no more sense in it"""
    global patience
    started = time.time()
    while time.time() - started < min(PATIENCE, patience):
        before, since = busy(), time.time()
        time.sleep(1)
        if sum(busy()) - sum(before) < QUIET * (time.time() - since):
            break
        print('w', end='', file=sys.stderr, flush=True)
    waited = time.time() - started
    patience -= waited
    return waited


@contextlib.contextmanager
def watched():
    """
    Gives a dictionary that is filled in the end: the load average before, at
    most during, and after; cores that we kept busy, and others; cores that were stolen.
    """
    result, done = {'before': os.getloadavg()[0]}, threading.Event()
    highest = result['before']

    def watch():
        nonlocal highest
        while not done.wait(2):
            highest = max(highest, os.getloadavg()[0])
    watcher = threading.Thread(target=watch)
    (worked, stolen), own, started = busy(), ours(), time.time()
    watcher.start()
    try:
        yield result
    finally:
        done.set()
        watcher.join()
        seconds = time.time() - started
        (worked, stolen), own = (now - then for now, then in zip(busy(), (worked, stolen))), ours() - own
        result |= {'seconds': seconds, 'during': highest, 'after': os.getloadavg()[0],
                   'ours': own / seconds, 'others': max(0, worked - own) / seconds, 'steal': stolen / seconds}


def was_disturbed(load):
    return load['others'] > DISTURBED or load['steal'] > DISTURBED
