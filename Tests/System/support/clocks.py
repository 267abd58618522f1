"""Wrong clocks, by libfaketime. The library is preloaded without its wrapper program `faketime`, which fails when an earlier
process of the same number left a semaphore behind; the library replaces such a semaphore."""

import time
from pathlib import Path

from .report import need


def clock(text: str) -> dict[str, str]:
    """Returns the variables of a program whose wall clock shows `text`, in libfaketime's notation; the monotonic clock
    stays correct."""
    need("faketime")
    library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    return {"LD_PRELOAD": str(library), "FAKETIME": text, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}


def running_clock(start: int) -> dict[str, str]:
    """Returns the variables of a program whose clock shows `start` now and goes on."""
    return clock(f"{start - int(time.time()):+d}")


def still_clock(instant: int) -> dict[str, str]:
    """Returns the variables of a program whose clock stands still at an instant."""
    return clock(time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(instant)))
