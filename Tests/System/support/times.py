"""Written forms of instants, which are seconds since 1970."""

import time


def xmltv_time(instant: int) -> str:
    return time.strftime("%Y%m%d%H%M%S +0000", time.gmtime(instant))


def iso_time(instant: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(instant))
