import EPGAccess
import EPGModel
import EPGStore
import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

@Suite("Metrics")
struct MetricsTests {
    /// A sample in the exposition format.
    fileprivate struct Sample {
        var name: String
        var labels: [String: String]
        var value: Double
    }

    /// Parses Prometheus's exposition format 0.0.4; `nil` if the text is malformed.
    private func parse(_ text: String) -> (types: [String: String], samples: [Sample])? {
        var types: [String: String] = [:]
        var samples: [Sample] = []
        guard text.hasSuffix("\n") else { return nil }
        let sample = /([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(.*)\})? (-?[0-9.]+(e[-+][0-9]+)?|\+Inf|NaN)/
        let label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\\\|\\"|\\n)*)",?/
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("# HELP ") { continue }
            if line.hasPrefix("# TYPE ") {
                let words = line.split(separator: " ")
                guard words.count == 4, types[String(words[2])] == nil,
                    ["counter", "gauge", "histogram"].contains(words[3])
                else { return nil }
                types[String(words[2])] = String(words[3])
                continue
            }
            guard let match = line.wholeMatch(of: sample), let value = Double(match.4) else { return nil }
            var labels: [String: String] = [:]
            var rest = match.3 ?? ""
            while let pair = rest.prefixMatch(of: label) {
                labels[String(pair.1)] = String(pair.2)
                rest = rest[pair.range.upperBound...]
            }
            guard rest.isEmpty else { return nil }
            samples.append(Sample(name: String(match.1), labels: labels, value: value))
        }
        return (types, samples)
    }

    @Test func labelsAreEscaped() {
        var text = MetricsText()
        text.begin("a", .gauge, "Some help.")
        text.sample("a", [("l", "x\\y\"z\nw")], 1)
        expectEqual(text.text, "# HELP a Some help.\n# TYPE a gauge\na{l=\"x\\\\y\\\"z\\nw\"} 1\n")
    }

    @Test func reportIsInPrometheusFormat() async throws {
        try await GuardedServer.run { server in
            for path in ["/healthz", "/api/v1/groups", "/api/v1/groups", "/nothing"] {
                _ = try await RawClient.get(path, port: server.port)
            }
            _ = try await server.exchange("NONSENSE\r\n\r\n")
            let response = try await RawClient.get("/metrics", port: server.port)
            expectResponse(response, headers: ["content-type": "text/plain; version=0.0.4; charset=utf-8"])
            let (types, samples) = try #require(parse(response.text))
            for sample in samples {
                let base = ["_bucket", "_sum", "_count"].first { sample.name.hasSuffix($0) }
                    .map { String(sample.name.dropLast($0.count)) }
                #expect(types[sample.name] != nil || types[base ?? ""] == "histogram", "\(sample.name)")
            }
            let keys = samples.map { "\($0.name) \($0.labels.sorted { $0.key < $1.key })" }
            expectEqual(Set(keys).count, keys.count, "samples are unique")
            let source = ["source": #"sample \"quoted\" \\ feed"#]
            let expected: [(name: String, labels: [String: String], value: Double)] = [
                ("epg_http_requests_total", ["route": "/api/v1/groups", "status": "2xx"], 2),
                ("epg_http_requests_total", ["route": "/healthz", "status": "2xx"], 1),
                ("epg_http_requests_total", ["route": "other", "status": "4xx"], 1),
                ("epg_http_request_duration_seconds_count", ["route": "/api/v1/groups"], 2),
                ("epg_http_request_duration_seconds_bucket", ["route": "/healthz", "le": "+Inf"], 1),
                ("epg_http_refusals_total", ["reason": "malformed"], 1), ("epg_http_requests_in_flight", [:], 1),
                ("epg_cache_hits_total", [:], 1), ("epg_guide_readable", [:], 1), ("epg_source_failed", source, 0),
                // `grep -c '<programme ' sample-data/evening.xml`
                ("epg_import_airings", source.merging(["outcome": "read"]) { $1 }, 417),
                ("epg_import_airings", source.merging(["outcome": "removed"]) { $1 }, 0),
                // The import was an hour before now.
                ("epg_import_age_seconds", source, 3600), ("epg_guide_generation_age_seconds", [:], 3600),
            ]
            for (name, labels, number) in expected { expectEqual(samples[name, labels], number, "\(name) \(labels)") }
            let minima: [(name: String, labels: [String: String], value: Double)] = [
                ("epg_database_bytes", ["file": "main"], 4096), ("process_resident_memory_bytes", [:], 1_000_000),
                ("process_open_fds", [:], 3), ("process_start_time_seconds", [:], 1_700_000_000),
            ]
            for (name, labels, minimum) in minima { #expect((samples[name, labels] ?? 0) > minimum, "\(name)") }
            let buckets = samples.filter {
                $0.name == "epg_http_request_duration_seconds_bucket" && $0.labels["route"] == "/api/v1/groups"
            }.map(\.value)
            expectEqual(buckets, buckets.sorted(), "buckets are cumulative")
        }
    }

    @Test func sourceRefreshesAreReported() async throws {
        let guide = try ServedGuide()
        try guide.addSources()
        try await RunningServer.run(guide) { server in
            let response = try await RawClient.get("/metrics", port: server.port)
            let (types, samples) = try #require(parse(response.text))
            let east = ["source": "east"]
            let expected: [(name: String, labels: [String: String], value: Double)] = [
                // October 24, 2026, 17:10 UTC.
                ("epg_source_success_timestamp_seconds", east, 1_792_861_800),
                ("epg_source_success_age_seconds", east, 3600), ("epg_source_attempt_age_seconds", east, 60),
                ("epg_source_refresh_duration_seconds", east, 1.25), ("epg_source_refresh_failures_total", east, 3),
                ("epg_source_failed", east, 1), ("epg_source_airings", east, 0),
                ("epg_source_refresh_result", ["source": "east", "result": "imported"], 0),
                ("epg_source_refresh_result", ["source": "east", "result": "unchanged"], 0),
                ("epg_source_refresh_result", ["source": "east", "result": "not-modified"], 0),
                ("epg_source_refresh_result", ["source": "east", "result": "failed"], 1),
                // A source that was never refreshed has only the failure count.
                ("epg_source_refresh_failures_total", ["source": "new"], 0),
            ]
            for (name, labels, number) in expected { expectEqual(samples[name, labels], number, "\(name) \(labels)") }
            expectEqual(types["epg_source_refresh_failures_total"], "counter")
            let others = samples.filter { $0.labels["source"] == "new" && $0.name.hasSuffix("_seconds") }
            #expect(others.isEmpty)
        }
    }

    @Test func durationsAreCountedInBuckets() {
        let figures = RequestMetrics.Figures(route: "/")
        for milliseconds in [0.05, 0.1, 0.2, 20_000] {
            figures.record(status: 200, duration: .microseconds(Int(milliseconds * 1000)))
        }
        expectEqual(figures.bucketCounts.first, 2)
        expectEqual(figures.bucketCounts[1], 1)
        expectEqual(figures.bucketCounts.last, 1)
        expectEqual(figures.totalNanoseconds, 20_000_350_000)
    }

    @Test func metricsRequireTheConfiguredToken() async throws {
        let token = "a token for metrics"
        let guide = try ServedGuide("<channel id=\"a\"/>")
        try await RunningServer.run(guide, tokens: [token: [.metrics]]) { server in
            for headers in [[], ["Authorization: Bearer wrong"], ["Authorization: Basic \(token)"]] {
                let rejection = try await RawClient.request("GET", "/metrics", port: server.port, headers: headers)
                expectResponse(rejection, 401)
                expectPrefix(rejection["www-authenticate"], "Bearer")
            }
            let response = try await RawClient.request(
                "GET", "/metrics", port: server.port, headers: ["Authorization: Bearer \(token)"])
            expectResponse(response, 200)
            expectResponse(try await RawClient.request("GET", "/readyz", port: server.port), 200)
        }
    }

    @Test func addressThatGuessesTheMetricsTokenIsLockedOut() async throws {
        let guide = try ServedGuide("<channel id=\"a\"/>")
        try await RunningServer.run(guide, tokens: ["secret": [.metrics]]) { server in
            for number in 1...GuessTable.guessLimit {
                let headers = ["Authorization: Bearer guess\(number)"]
                expectResponse(try await RawClient.request("GET", "/metrics", port: server.port, headers: headers), 401)
            }
            let correct = try await RawClient.request(
                "GET", "/metrics", port: server.port, headers: ["Authorization: Bearer secret"])
            expectResponse(correct, 429)
            #expect(correct["retry-after"] != nil)
        }
    }
}

extension [MetricsTests.Sample] {
    /// The value of the first sample with a name and exactly these labels.
    fileprivate subscript(name: String, labels: [String: String]) -> Double? {
        first { $0.name == name && $0.labels == labels }?.value
    }
}
