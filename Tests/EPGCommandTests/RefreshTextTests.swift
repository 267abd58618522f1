import EPGModel
import EPGRefresh
import EPGRender
import Foundation
import TestSupport
import Testing

@testable import epg

/// Tests of the progress lines of `epg refresh`.
@Suite struct RefreshTextTests {
    private func text(_ step: RefreshStep, after time: Duration = .zero, columns: Int) -> String {
        step.line(after: time, for: Terminal(columns: columns, usesColors: false))
    }

    /// The bar fills the remaining width, from 8 to 24 columns: with 70 columns, 70 - 47 - 1 = 22.
    @Test(arguments: [
        (80, "east: fetching ━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 25%, 3000 kB of 12 MB, 1500 kB/s"),
        (70, "east: fetching ━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 25%, 3000 kB of 12 MB, 1500 kB/s"),
        (56, "east: fetching ━━╌╌╌╌╌╌ 25%, 3000 kB of 12 MB, 1500 kB/s"),
        (55, "east: fetching 25%, 3000 kB of 12 MB, 1500 kB/s"), (20, "east: fetching 25%,…"),
    ])
    func progressBarFitsWidth(_ columns: Int, _ expected: String) {
        let progress = FetchProgress(byteCount: 3_000_000, total: 12_000_000)
        #expect(text(.fetching("east", progress), after: .seconds(2), columns: columns) == expected)
    }

    @Test(arguments: [
        (FetchProgress(byteCount: 0, total: 0), Duration.zero, "east: fetching 0 bytes of 0 bytes"),
        // Unknown size.
        (FetchProgress(byteCount: 3_000_000, total: nil), .seconds(3), "east: fetching 3000 kB, 1000 kB/s"),
        // Too early for a rate.
        (FetchProgress(byteCount: 3_000_000, total: nil), .milliseconds(100), "east: fetching 3000 kB"),
        // Decompressed data may exceed the announced size.
        (
            FetchProgress(byteCount: 20_000_000, total: 10_000_000), .zero,
            "east: fetching ━━━━━━━━━━━━━━━━━━━━━━━━ 100%, 20 MB of 10 MB"
        ),
    ])
    func fetchingLineShowsKnownFigures(_ progress: FetchProgress, _ time: Duration, _ expected: String) {
        #expect(text(.fetching("east", progress), after: time, columns: 80) == expected)
    }

    @Test func readingLineCountsProgrammes() {
        let half = ReadingProgress(byteCount: 50, total: 100, programmes: 1234)
        let shown = "east: reading ━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌ 50%, 1234 programmes"
        #expect(text(.reading("east", half), columns: 80) == shown)
        let all = ReadingProgress(byteCount: 100, total: 100, programmes: 1)
        #expect(text(.reading("east", all), columns: 80) == "east: sorting, storing 1 programme")
    }

    @Test func onlyFinalLineOfSourceIsMarkedAsLast() {
        let end = SourceRefresh(name: "east", location: "x", outcome: .notModified, lastSuccess: nil)
        #expect(text(.ended(end), columns: 80) == "east: not modified")
        #expect([RefreshStep.ended(end), .requesting("east")].map(\.isLast) == [true, false])
    }

    @Test(
        .needs(.programs("script")),
        arguments: [("", true), ("--quiet", false), ("--json", false)])
    func refreshShowsOneLinePerSourceOnTerminal(_ flag: String, _ hasLines: Bool) throws {
        let sandbox = try Sandbox()
        for name in ["east", "west"] {
            _ = try sandbox.write("<tv></tv>", to: "\(name).xml")
            try sandbox.epg("source", "add", name, "\(name).xml").expect(0)
        }
        let run = try TerminalRun("refresh --force \(flag)", in: sandbox)
        #expect(
            (run.status, run.text.contains("\u{1B}[K")) == (0, hasLines), "\(run.text.debugDescription)")
        // One line per source in order, and nothing below.
        if hasLines {
            let lines = run.text.split(separator: "\r\n").compactMap { $0.components(separatedBy: "\u{1B}[K").last }
            #expect(lines.count == 2 && lines.first?.contains("east") == true && lines.last?.contains("west") == true)
        }
    }
}
