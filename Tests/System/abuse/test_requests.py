"""Requests that schemathesis (from PyPI) generates from the OpenAPI document."""

import json
import subprocess
from pathlib import Path

from support import SCRATCH, packages

#: Checks of every response. Other checks of schemathesis require behavior that HTTP leaves open.
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance",
]


def _run(world, service, examples, seed):
    """Runs schemathesis and returns its report and the completed process."""
    program = packages.installed(Path(__file__).with_name("requirements.txt")) / "bin/schemathesis"
    report = world.folder / "schemathesis.json"
    # The path of events is excluded because its stream never ends.
    run = subprocess.run(
        [
            program, "run", f"{service.origin}/openapi.yaml", "--checks", ",".join(CHECKS), "--max-examples", str(examples),
            "--phases", "examples,coverage,fuzzing", "--mode", "all", "--exclude-path-regex", "/events$", "--workers", "1",
            "--request-timeout", "20", "--max-response-time", "5", "--seed", str(seed), "--no-color", "--no-shrink",
            "--continue-on-failure", "--generation-database", "none", "--suppress-health-check", "all", "--warnings", "off",
            "--report", "json", "--report-json-path", str(report),
        ],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=world.folder, timeout=1800)
    (SCRATCH / "schemathesis.txt").write_text(run.stdout + run.stderr)
    return json.loads(report.read_text()) if report.exists() else {}, run


def generated_requests_get_no_5xx_and_responses_match_the_schema(world):
    service = world.service("sample")
    status, _, document = service.request("/openapi.yaml")
    assert status == 200, f"/openapi.yaml returned {status}"
    operations = document.count(b"operationId:")
    assert operations, "the document has no operations"
    minimum = 300 if world.short else 5_000
    report, run = _run(world, service, max(5, minimum * 5 // 4 // operations), 20261024)
    count = sum(service_requests(service)) or report.get("requests", 0)
    world.note(f"{count} requests")
    assert service.process.poll() is None, "epgd ended"
    assert run.returncode == 0, _shortened(run.stdout or run.stderr)
    assert count >= minimum, f"only {count} requests were sent: {report.get('summary')}"


def service_requests(service):
    """Yields the request counts from the service's metrics."""
    _, _, text = service.request("/metrics")
    for line in text.decode().splitlines():
        if line.startswith("#"):
            continue
        name, _, value = line.rpartition(" ")
        if "requests_total" in name:
            yield int(float(value))


def _shortened(text):
    """Extracts the failures from the output of schemathesis."""
    begin = text.find("FAILURES")
    return text[begin if begin >= 0 else -3000:][:3000]
