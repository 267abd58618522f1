#!/usr/bin/env python3
"""Writes an SBOM (SPDX 2.3, JSON) of the programs epg and epgd to standard output.

    Scripts/sbom.py BUILD

BUILD is the folder with both programs, such as .build/release. The SBOM lists the Swift packages whose modules were linked, with version,
commit and license; the Swift runtime; and the shared libraries that the programs need. The time of creation is
SOURCE_DATE_EPOCH (default: the time of the commit), so that the same build gives the same document.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHECKOUTS = ROOT / ".build/checkouts"
PROGRAMS = ("epg", "epgd")
#: A phrase of each license, which identifies its file.
LICENSES = {
    "Apache-2.0": "Apache License", "MIT": "Permission is hereby granted, free of charge", "BSD-3-Clause": "Neither the name",
}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def linked_modules(build):
    """The modules whose object files are in the programs."""
    modules = set()
    for program in PROGRAMS:
        objects = build / f"{program}.product/Objects.LinkFileList"
        modules |= {match[1] for match in re.finditer(r"/([^/\n]+)\.build/", objects.read_text())}
    return modules


def packages(modules):
    """The resolved packages that define some of the modules, as in Package.resolved."""
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        folder = CHECKOUTS / pin["location"].rstrip("/").removesuffix(".git").rsplit("/", 1)[-1]
        if any((folder / module).is_dir() or (folder / "Sources" / module).is_dir() for module in modules):
            yield pin, license_of(folder)


def license_of(folder):
    for file in sorted(folder.glob("LICENSE*")):
        text = file.read_text(errors="replace")
        for identifier, words in LICENSES.items():
            if words in text:
                return identifier
    return "NOASSERTION"


def shared_libraries(build):
    found = set()
    for program in PROGRAMS:
        found |= set(re.findall(r"NEEDED.*\[(.+)\]", output("readelf", "-d", str(build / program))))
    return sorted(found)


def commit_time():
    """The time of the commit; the time of the changelog where the sources have no Git repository, as in the container."""
    try:
        return output("git", "log", "-1", "--format=%ct")
    except (OSError, subprocess.CalledProcessError):
        return (ROOT / "CHANGELOG.md").stat().st_mtime


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name, version, location="NOASSERTION", license="NOASSERTION", **members):
    return {
        "SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": location, "filesAnalyzed": False,
        "licenseConcluded": license, "licenseDeclared": license, "copyrightText": "NOASSERTION", **members,
    }


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: Scripts/sbom.py BUILD")
    build = Path(sys.argv[1]).resolve()
    for program in PROGRAMS:
        if not (build / program).exists():
            sys.exit(f"{build} has no {program}: run make release")
    version = output(str(build / "epg"), "--version").split()[0]
    found = []
    for pin, license in packages(linked_modules(build)):
        state = pin["state"]
        found.append(package(
            pin["identity"], state.get("version", state["revision"]), f"git+{pin['location']}@{state['revision']}", license,
            externalRefs=[{
                "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                "referenceLocator": f"pkg:swift/{pin['location'].removeprefix('https://').removesuffix('.git')}@{state.get('version', '')}",
            }]))
    runtime = re.search(r"Swift version (\S+)", output("swift", "--version"))
    found.append(package("swift-runtime", runtime[1] if runtime else "NOASSERTION", "https://www.swift.org", "Apache-2.0"))
    libraries = [package(name, "NOASSERTION") for name in shared_libraries(build)]
    digest = hashlib.sha256(b"".join((build / program).read_bytes() for program in PROGRAMS)).hexdigest()
    created = int(os.environ.get("SOURCE_DATE_EPOCH") or commit_time())
    main = package(
        "swift-epg", version, license="MIT")
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"swift-epg-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/swift-epg-{version}-{digest[:32]}",
        "creationInfo": {
            "created": datetime.fromtimestamp(created, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: swift-epg Scripts/sbom.py"],
        },
        "packages": [main, *found, *libraries],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": main["SPDXID"]},
            *[{"spdxElementId": main["SPDXID"], "relationshipType": "STATIC_LINK", "relatedSpdxElement": part["SPDXID"]} for part in found],
            *[{"spdxElementId": main["SPDXID"], "relationshipType": "DYNAMIC_LINK", "relatedSpdxElement": part["SPDXID"]} for part in libraries],
        ],
    }
    json.dump(document, sys.stdout, indent=2, ensure_ascii=False)
    print()


main()
