import Foundation
import TestSupport
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

    /// An airing that is still on offers commands, or buttons if the service accepts rules.
    @Test func airingPageOffersRules() throws {
        var frame = ViewsSample.frame
        let commands = String(decoding: AiringHTML(try ViewsSample.airing(), frame: frame).bytes, as: UTF8.self)
        #expect(commands.contains("<code>epg watch add "))
        #expect(!commands.contains("data-rule"))
        frame.acceptsRules = true
        let buttons = String(decoding: AiringHTML(try ViewsSample.airing(), frame: frame).bytes, as: UTF8.self)
        #expect(!buttons.contains("epg watch add"))
        #expect(buttons.components(separatedBy: "data-rule=\"{&quot;name&quot;:").count == 3)
        #expect(ViewsMarkup(buttons).isBalanced && ViewsMarkup(commands).isBalanced)
    }

    @Test func errorPageEqualsGolden() throws {
        let page = ErrorHTML(
            status: 404, reason: "Not Found", detail: "There is no station <b> in the guide.", frame: ViewsSample.frame)
        try expect(page.bytes, equals: "page-error")
    }

    /// Compares a page with its golden file.
    private func expect(_ page: [UInt8], equals name: String) throws {
        try Golden.expect(
            String(decoding: page, as: UTF8.self),
            equals: PackageFiles.root.appending(path: "Tests/Goldens/\(name).html"))
    }
}
