import Foundation
import Testing

@testable import EPGRender

/// Compares complete pages with golden files, which `make goldens` updates.
@Suite struct ViewsGoldenTests {
    @Test func homePageEqualsGolden() throws {
        try expect(HomeHTML(try ViewsSample.home(), frame: ViewsSample.frame).bytes, equals: "page-home")
    }

    @Test func stationsPageEqualsGolden() throws {
        try expect(StationsHTML(ViewsSample.stations(), frame: ViewsSample.frame).bytes, equals: "page-stations")
    }

    @Test func dayPageEqualsGolden() throws {
        try expect(DayHTML(try ViewsSample.day(), frame: ViewsSample.frame).bytes, equals: "page-day")
    }

    @Test func airingPageEqualsGolden() throws {
        try expect(AiringHTML(try ViewsSample.airing(), frame: ViewsSample.frame).bytes, equals: "page-airing")
    }

    @Test func searchPageEqualsGolden() throws {
        try expect(SearchHTML(try ViewsSample.search(), frame: ViewsSample.frame).bytes, equals: "page-search")
    }

    @Test func errorPageEqualsGolden() throws {
        let page = ErrorHTML(
            status: 404, reason: "Not Found", detail: "There is no station <b> in the guide.", frame: ViewsSample.frame)
        try expect(page.bytes, equals: "page-error")
    }

    /// Compares a page with its golden file. If `UPDATE_GOLDENS` is `1`, writes the file and fails.
    private func expect(_ page: [UInt8], equals name: String) throws {
        let text = String(decoding: page, as: UTF8.self)
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Goldens/\(name).html")
        let exists = FileManager.default.fileExists(atPath: file.path)
        let expected = exists ? try String(contentsOf: file, encoding: .utf8) : ""
        guard text != expected else { return }
        guard ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" else {
            let (old, new) = (expected.split(separator: "\n"), text.split(separator: "\n"))
            let line = zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }
            let index = line?.offset ?? min(old.count, new.count)
            Issue.record(
                """
                \(name).html differs. Review the difference, and run make goldens to accept it. Line \(index + 1) was
                \(index < old.count ? old[index] : "missing")
                and is now
                \(index < new.count ? new[index] : "missing")
                """)
            return
        }
        try Data(text.utf8).write(to: file)
        Issue.record("Wrote \(name).html: review the difference")
    }
}
