"""Requests made up from the OpenAPI document, by schemathesis (a program of its own, from PyPI)."""

import json
import os
import subprocess

#: In all, at least.
LEAST = {"short": 300, "thorough": 5_000, "long": 5_000}

#: What every answer is held against. The others ask for what HTTP leaves open.
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance",
]


def _run(world, service, examples, seed):
    """Runs schemathesis, and gives its report and what it said."""
    program = os.environ["SCHEMATHESIS"]
    report = world.folder / "schemathesis.json"
    # The stream of events doesn't end by itself.
    run = subprocess.run(
        [
            program, "run", f"{service.origin}/openapi.yaml", "--checks", ",".join(CHECKS), "--max-examples", str(examples),
            "--phases", "examples,coverage,fuzzing", "--mode", "all", "--exclude-path-regex", "/events$", "--workers", "1",
            "--request-timeout", "20", "--max-response-time", "5", "--seed", str(seed), "--no-color", "--no-shrink",
            "--continue-on-failure", "--generation-database", "none", "--suppress-health-check", "all", "--warnings", "off",
            "--report", "json", "--report-json-path", str(report),
        ],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=world.folder, timeout=1800)
    (world.shots.parent / "schemathesis.txt").write_text(run.stdout + run.stderr)
    return json.loads(report.read_text()) if report.exists() else {}, run


def requests_of_the_openapi_document_get_no_5xx_and_answers_of_its_schema(world):
    service = world.service("sample")
    status, _, document = service.ask("/openapi.yaml")
    assert status == 200, f"/openapi.yaml answered {status}"
    operations = document.count(b"operationId:")
    assert operations, "the document has no operations"
    least = LEAST[world.level]
    report, run = _run(world, service, max(5, least * 5 // 4 // operations), 20261024)
    made = sum(service_requests(service)) or report.get("requests", 0)
    world.note(f"{made} requests")
    assert service.process.poll() is None, "epgd ended"
    assert run.returncode == 0, _shortened(run.stdout or run.stderr)
    assert made >= least, f"only {made} requests were made: {report.get('summary')}"


def service_requests(service):
    """How many requests the service counted, by its own metrics."""
    _, _, text = service.ask("/metrics")
    for line in text.decode().splitlines():
        if line.startswith("#"):
            continue
        name, _, value = line.rpartition(" ")
        if "requests_total" in name:
            yield int(float(value))


def _shortened(text):
    """The failures of what schemathesis said."""
    begin = text.find("FAILURES")
    return text[begin if begin >= 0 else -3000:][:3000]
