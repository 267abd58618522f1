"""Uses the package and the service as a third party does: a program that imports the products, and a generated client."""

import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

from support import ROOT, SAMPLES, SCRATCH, packages
from support.processes import Service, run as output_of
from support.report import Skipped, expect

FOLDER = Path(__file__).resolve().parent
CLIENT = ROOT / "Tests/Client"


def run(options, report) -> None:
    if options.wants("example"):
        report.check(
            "the example of README.md imports the sample guide and prints the current airings", example, options.build / "EPGExampleClient")
        report.check("the products contain the modules that the example imports", products)
    if options.wants("openapi"):
        use_generated_client(options, report)


def products() -> None:
    """Compares the imports of the example with the targets of the products that it needs."""
    package = json.loads(output_of("swift", "package", "dump-package", cwd=ROOT))
    contained = {product["name"]: set(product["targets"]) for product in package["products"]}
    found = contained["EPGImport"] | contained["EPGStore"] | contained["XMLTV"]
    imports = set(re.findall(r"^import (\w+)$", (CLIENT / "main.swift").read_text(), re.M))
    expect(imports <= found, f"{imports - found} are in none of the products")


def example(program: Path) -> None:
    """Runs the example, a target without access to declarations that are not public.

    Of the 417 programmes of the guide, one is a duplicate and one has no length (sample-data/README.md). The titles are those of
    evening.xml at 18:30 UTC.
    """
    section = (ROOT / "README.md").read_text().partition("## In your own program")[2].partition("\n## ")[0]
    code = re.search(r"^```swift\n(.*?)^```$", section, re.S | re.M)[1]
    assert code == (CLIENT / "main.swift").read_text(), "README.md and the program in Tests/Client differ"
    if not program.exists():
        raise Skipped(f"{program.name} is missing: swift build --product {program.name}")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sample-data").symlink_to(SAMPLES)
        printed = output_of(program, cwd=folder)
    assert printed == (CLIENT / "expected.txt").read_text(), printed


def use_generated_client(options, report) -> None:
    with tempfile.TemporaryDirectory() as folder:
        def generate() -> None:
            tools = packages.use(FOLDER / "requirements.txt")
            client = SCRATCH / "generated"
            shutil.rmtree(client, ignore_errors=True)
            client.mkdir()
            output_of(
                tools / "bin/openapi-python-client", "generate", "--path", ROOT / "Sources/C/Page/Assets/openapi.yaml",
                "--config", FOLDER / "openapi.yaml", "--meta", "none", "--output-path", client / "guide_client",
                "--fail-on-warning")
            sys.path.insert(0, str(client))

        before = report.passed
        report.check("openapi-python-client generates a client from openapi.yaml", generate)
        if report.passed == before:
            return
        import openapi

        database = Path(folder, "guide.sqlite")
        options.programs.load(SAMPLES / "evening.xml", database, "evening")
        options.programs.load(SAMPLES / "evening.m3u", database, "evening")
        with Service(options.programs, database) as service, openapi.Client(base_url=service.origin, timeout=30) as client:
            for name, check in openapi.CHECKS.items():
                report.check(f"the generated client reads {name}", check, client)
