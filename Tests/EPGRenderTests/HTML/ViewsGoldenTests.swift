import Foundation
import TestSupport
import Testing

@testable import EPGRender

/// Compares complete pages with golden files, which `make goldens` updates.
@Suite struct ViewsGoldenTests {
    @Test func pagesEqualTheirGoldens() throws {
        try expect(HomeHTML(try ViewsSample.home(), frame: ViewsSample.frame).bytes, equals: "page-home")
        try expect(StationsHTML(try ViewsSample.stations(), frame: ViewsSample.frame).bytes, equals: "page-stations")
        try expect(DayHTML(try ViewsSample.day(), frame: ViewsSample.frame).bytes, equals: "page-day")
        try expect(AiringHTML(try ViewsSample.airing(), frame: ViewsSample.frame).bytes, equals: "page-airing")
        try expect(SearchHTML(try ViewsSample.search(), frame: ViewsSample.frame).bytes, equals: "page-search")
        let page = ErrorHTML(
            status: 404, reason: "Not Found", detail: "There is no station <b> in the guide.", frame: ViewsSample.frame)
        try expect(page.bytes, equals: "page-error")
    }

    /// An airing that has not ended has buttons, which their script shows where they work.
    @Test(arguments: [false, true]) func airingPageHasHiddenButtonsForReminders(acceptsRules: Bool) throws {
        var frame = ViewsSample.frame
        frame.acceptsRules = acceptsRules
        let page = String(decoding: AiringHTML(try ViewsSample.airing(), frame: frame).bytes, as: UTF8.self)
        expectText(page, lacks: ["epg watch", "/login"])
        expectEqual(page.components(separatedBy: "hidden data-rule=\"{&quot;name&quot;:").count, 3)
        expectEqual(page.contains("data-watch"), acceptsRules)
        #expect(ViewsMarkup(page).isBalanced)
    }

    /// Compares a page with its golden file.
    private func expect(_ page: [UInt8], equals name: String) throws {
        try Golden.expect(
            String(decoding: page, as: UTF8.self),
            equals: PackageFiles.root.appending(path: "Tests/Goldens/\(name).html"))
    }
}
