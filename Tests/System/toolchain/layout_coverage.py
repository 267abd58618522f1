"""The line coverage of the layout libraries, from the output of `llvm-cov export`."""

import subprocess
from pathlib import Path

MODULES = ("CollectionLayout", "CollectionView", "EPGLayout")


def summary(exported: dict, with_functions: bool) -> dict[str, str]:
    """Prints the files with uncovered lines, and the uncovered functions if wanted; returns the coverage of the modules."""
    data = exported["data"][0]
    modules, files = {}, []
    for file in data["files"]:
        path = Path(file["filename"])
        module = next(part for part in path.parts if part in MODULES)
        lines = file["summary"]["lines"]
        for name in (module, "total"):
            covered, count = modules.get(name, (0, 0))
            modules[name] = (covered + lines["covered"], count + lines["count"])
        files.append((lines["count"] - lines["covered"], lines["count"], path.name))
    for missed, count, name in sorted(files, reverse=True):
        if missed:
            print(f"{missed:5} of {count:4} lines of {name}")
    if with_functions:
        missed = {}
        for function in data["functions"]:
            path = Path(function["filenames"][0])
            if not set(MODULES) & set(path.parts):
                continue
            # A generic function occurs once for each specialization.
            place = (path.name, function["regions"][0][0], function["regions"][0][2])
            name, count = missed.get(place, (function["name"], 0))
            missed[place] = (name, count + function["count"])
        names = [(place, name) for place, (name, count) in sorted(missed.items()) if not count]
        plain = subprocess.run(["swift-demangle", "--compact", "--simplified"], input="\n".join(name.split(":")[-1] for _, name in names),
                               capture_output=True, text=True).stdout.splitlines()
        for ((file, first, last), _), name in zip(names, plain):
            print(f"{last - first + 1:5} lines: {file}:{first}: {name}")
    return {
        name: f"{covered} of {count} lines, {100 * covered / count:.1f} %" for name, (covered, count) in sorted(modules.items())}
