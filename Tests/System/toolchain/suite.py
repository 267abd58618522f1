"""Suites that Swift tools run: conformance, the layout oracle, sanitizers, fuzzing, and the coverage of the layout libraries."""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import layout_coverage
from support import ROOT, SAMPLES
from support.processes import Programs, Service, run as output_of
from support.report import expect, need

FOLDER = Path(__file__).resolve().parent
SHARED = ROOT.parent / "shared/data"
#: Modules with unsafe code, C or threads.
SANITIZED = "XMLTVTests|EPGImportTests|EPGStoreTests|EPGHTTPTests|EPGServerTests|EPGAdminTests|EPGRefreshTests|FuzzTests"


def call(*command: object, **variables: str) -> None:
    """Runs a command in the project's folder, whose output is shown."""
    subprocess.run([str(word) for word in command], check=True, cwd=ROOT, env={**os.environ, **variables})


def conformance(options, report) -> None:
    """The W3C XML suite, libexpat as the oracle for all guides and 100,000 mutations, and the XMLTV project's filter suite."""
    for name, path in {"the W3C XML suite": "xmlts20130923.zip", "the XMLTV project's filter suite": "XMLTV_xmltv/t/data"}.items():
        if not (SHARED / path).exists():
            report.add("skipped", name, f"{SHARED / path} is missing")
    report.check("XMLTVTests", lambda: call(
        "swift", "test", "-c", "release", "--filter", "XMLTVTests", EPG_SCOPE="all", EPG_MUTATIONS="100000"))
    report.check("EPGFilterTests.ConformanceTests", lambda: call(
        "swift", "test", "-c", "release", "--filter", "EPGFilterTests.ConformanceTests"))


def oracle(options, report) -> None:
    """Generated layouts by the engine and by CSS in Chromium; the modules of the guide page by Node and the engine."""
    seed = random.randrange(1 << 32) if options.seed is None else options.seed

    def layouts() -> str:
        need(os.environ.get("CHROMIUM", "chromium"))
        build = ["swift", "build", "-c", "debug" if options.short else "release", "--product", "layout-frames"]
        call(*build)
        cases = options.count(5 if options.short else None)
        call(sys.executable, ROOT / "Tests/LayoutOracle/oracle.py", Path(output_of(*build, "--show-bin-path").strip(), "layout-frames"),
             "--seed", seed, "--browser", os.environ.get("CHROMIUM", "chromium"),
             *(["--cases", cases] if cases else []), *(word for name in options.only for word in ("--family", name)))
        return f"seed {seed}"

    def page() -> str:
        need("node", "nodejs")
        call("swift", "test", "--filter", "PageAgreementTests", EPG_PAGE_CASES="2000", EPG_PAGE_SEED=str(seed))
        return f"seed {seed}"

    report.check("generated layouts match a browser to a device pixel", layouts)
    if not options.short and not options.only:
        report.check("the guide page's modules match the engine", page)


def sanitizers(options, report) -> None:
    """The modules with unsafe code, C or threads under the address and thread sanitizers.

    Swift has no sanitizer for undefined behavior on Linux: clang's, which traps, checks the C code of the readers' fuzz targets.
    """
    # The short form builds the modules without dependencies.
    targets = ["Picture", "Times", "XMLTVReader"] + ([] if options.short else ["Inflate", "JSONGuide", "Playlist"])
    report.check("the readers' fuzz targets under the address sanitizer", lambda: call(
        "Fuzz/run.sh", options.seconds(3 if options.short else 60), *targets, FUZZ_SANITIZER="address"))
    if not options.short:
        # The Swift runtime keeps metadata until the process ends, which is not a leak.
        report.check("tests under the address sanitizer", sanitized_tests, "address", {
            "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0"})
        report.check("tests under the thread sanitizer", sanitized_tests, "thread", {
            "TSAN_OPTIONS": "halt_on_error=0:exitcode=66", "LD_PRELOAD": f"{ROOT}/.build-tsan/mutex.so"})


def sanitized_tests(name: str, variables: dict[str, str]) -> None:
    flags = [f"--sanitize={name}", "--scratch-path", f".build-{name[0]}san"]
    call("swift", "build", "--build-tests", *flags)
    if name == "thread":
        clang = Path(shutil.which("swiftc")).resolve().with_name("clang")
        call(clang, "-O1", "-shared", "-fPIC", "-o", ".build-tsan/mutex.so", FOLDER / "mutex.c", "-ldl")
    call("swift", "test", "--skip-build", *flags, "--filter", SANITIZED, EPG_SCOPE="ci", **variables)


def fuzz(options, report) -> None:
    """libFuzzer on every reader, HTTP heads, queries and searches."""
    report.check("no fuzz target crashes", lambda: call("Fuzz/run.sh", options.seconds(60), *options.only))


def coverage(options, report) -> None:
    """How much of the layout libraries the programs execute: the terminal guide, epg grid and the service."""
    build = ["swift", "build", "--scratch-path", ".build/coverage"]
    for product in ("epg", "epgd", "TerminalProbe"):
        call(*build, "--product", product, "--enable-code-coverage")
    programs = Programs(output_of(*build, "--show-bin-path", cwd=ROOT).strip())
    with tempfile.TemporaryDirectory() as folder:
        profiles = {"LLVM_PROFILE_FILE": f"{folder}/%p-%m.profraw"}
        call(sys.executable, FOLDER.parent / "run.py", "terminal", "--programs", programs.folder, "--only", "browse", **profiles)
        database = ["--database", f"{folder}/guide.sqlite"]
        for sample in ("evening.xml", "evening.m3u"):
            call(programs.epg, "import", SAMPLES / sample, *database, **profiles)
        for arguments in ("--format svg", "--format json --orientation vertical", "--format svg --direction rtl --x 300 --y 50",
                          "--style dense", "--groups", "--format svg --groups --thumbnails sticky",
                          "--format json --groups --thumbnails scrolling"):
            output_of(programs.epg, "grid", *arguments.split(), *database, "--zone", "Europe/London",
                      "--at", "2026-10-24T18:40:00Z", env=os.environ | profiles)
        with Service(programs, database[1], environment=profiles) as service:
            for query in ("", "api/v1/grid?from=2026-10-24T18:00:00Z&form=columns&cluster=40",
                          "api/v1/grid?from=2026-10-24T18:00:00Z&orientation=vertical&direction=rtl&x=100"):
                expect(service.request(f"/{query}").status == 200, query)
        # The tools of the Swift toolchain: others cannot read the profiles.
        tools = Path(shutil.which("swift")).resolve().parent
        call(tools / "llvm-profdata", "merge", "-sparse", *Path(folder).glob("*.profraw"), "-o", f"{folder}/all.profdata")
        exported = output_of(
            tools / "llvm-cov", "export", programs.epg, "-object", programs.epgd, "-instr-profile", f"{folder}/all.profdata",
            *(f"Sources/{module}" for module in layout_coverage.MODULES), cwd=ROOT)
    for name, share in layout_coverage.summary(json.loads(exported), options.functions).items():
        report.add("ok", name, share)
