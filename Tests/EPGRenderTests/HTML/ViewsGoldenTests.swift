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

    /// An airing that is still on offers commands, or buttons if the service accepts rules.
    @Test func airingPageOffersRules() throws {
        var frame = ViewsSample.frame
        let commands = String(decoding: AiringHTML(try ViewsSample.airing(), frame: frame).bytes, as: UTF8.self)
        expectText(
            commands, contains: ["<code>epg watch add "], lacks: ["data-rule"])
        frame.acceptsRules = true
        let buttons = String(decoding: AiringHTML(try ViewsSample.airing(), frame: frame).bytes, as: UTF8.self)
        #expect(!buttons.contains("epg watch add"))
        expectEqual(buttons.components(separatedBy: "data-rule=\"{&quot;name&quot;:").count, 3)
        #expect(ViewsMarkup(buttons).isBalanced && ViewsMarkup(commands).isBalanced)
    }

    /// Compares a page with its golden file.
    private func expect(_ page: [UInt8], equals name: String) throws {
        try Golden.expect(
            String(decoding: page, as: UTF8.self),
            equals: PackageFiles.root.appending(path: "Tests/Goldens/\(name).html"))
    }
}
