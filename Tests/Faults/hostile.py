"""The hostile server stands in the Swift tests, where it can say which bytes it sends when; see EPGRefreshTests."""

from pathlib import Path

from frame import Bench

TESTS = Path(__file__).resolve().parents[1] / "EPGRefreshTests"
SUITES = (
    "CutOffTests", "HostileBodyTests", "RedirectTests", "AddressRefusalTests", "ResumeTests", "RetryTests", "FetchErrorTests")


def run(bench: Bench) -> None:
    there = [name for name in SUITES if (TESTS / f"{name}.swift").exists()]
    print(f"elsewhere a hostile server: swift test --filter '{'|'.join(there)}'", flush=True)
