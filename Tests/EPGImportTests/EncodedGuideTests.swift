import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import TestSupport
import Testing
import XMLTV

/// JSON guides and playlists give the same result in every encoding.
@Suite struct EncodedGuideTests {
    private static let guide = """
        {"type":"guide","version":1}
        {"type":"station","id":"a","station":{"display-name":["Ä 中"]}}
        {"type":"airing","station":"a","start":"2026-03-28T18:00:00Z","stop":"2026-03-28T19:00:00Z",\
        "programme":{"title":["Grüße 😀"]}}

        """
    private static let line = "2026-03-28T18:00:00Z 2026-03-28T19:00:00Z Grüße 😀"

    private func options(_ encoding: String? = nil, strictly: Bool = false) -> ImportOptions {
        var options = ImportOptions()
        options.encoding = encoding
        options.isStrict = strictly
        return options
    }

    @Test(arguments: TextSourceTests.forms, [true, false])
    func jsonIsReadInEveryWideEncoding(_ form: TextSourceTests.Form, isMarked: Bool) throws {
        let bytes = (isMarked ? form.mark : []) + form.bytes(Self.guide)
        for strictly in [true, false] {
            let guide = try ImportedGuide(bytes: bytes, options: options(strictly: strictly))
            try expectEqual(guide.lines(of: "a"), [Self.line])
            try expectEmpty(guide.findings())
        }
    }

    @Test func jsonUsesEncodingOfOptionsOrSource() throws {
        let ascii = Self.guide.replacing("Grüße 😀", with: "?").replacing("Ä 中", with: "A")
        // “Привет” in windows-1251.
        let bytes = Array(ascii.utf8).flatMap { $0 == 0x3F ? [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2] : [$0] as [UInt8] }
        var source = Source(name: "feed")
        try expectEqual(
            ImportedGuide(bytes: bytes, as: source, options: options("cp1251")).airings(of: "a").map(\.title),
            ["Привет"])
        source.encoding = "windows-1251"
        try expectEqual(ImportedGuide(bytes: bytes, as: source).airings(of: "a").map(\.title), ["Привет"])
    }

    @Test func contradictedEncodingIsReported() throws {
        let form = TextSourceTests.forms[0]
        let guide = try ImportedGuide(bytes: form.mark + form.bytes(Self.guide), options: options("windows-1251"))
        try expectEqual(guide.lines(of: "a"), [Self.line])
        try expectEqual(guide.findings(), ["0 badutf8 kept"])
    }

    @Test func unknownEncodingRejectsGuide() throws {
        for text in [Self.guide, "<tv/>"] {
            let error = expectThrows(GuideFileError.self) {
                try ImportedGuide(bytes: Array(text.utf8), options: options("klingon"))
            }
            expectEqual(error?.description, "line 1: unknown encoding klingon")
        }
    }

    @Test func truncatedWideJSONIsReportedAsTruncated() throws {
        let form = TextSourceTests.forms[0]
        let bytes = Array((form.mark + form.bytes(Self.guide)).dropLast(9))
        for strictly in [true, false] {
            let error = expectThrows(GuideFileError.self) {
                try ImportedGuide(bytes: bytes, options: options(strictly: strictly))
            }
            guard case .truncated = error?.reason else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    // MARK: - Playlists

    private static let list = "#EXTM3U\n#EXTINF:-1 tvg-id=\"a\",?\nhttp://e.test/1\n"

    private func names(_ bytes: [UInt8], encoding: String? = nil) throws -> [String] {
        let guide = try ImportedGuide("")
        var file = GuideFile(ChunkSource(bytes))
        expectEqual(file.format, .playlist)
        file.encoding = encoding
        _ = try GuideImporter(store: guide.store).importLineup(file, named: "list", now: Instant(secondsSince1970: 0))
        return try guide.store.lineup(named: "list")?.lineup.channels.map(\.name) ?? []
    }

    @Test(arguments: TextSourceTests.forms, [true, false])
    func playlistIsReadInEveryWideEncoding(_ form: TextSourceTests.Form, isMarked: Bool) throws {
        let bytes = (isMarked ? form.mark : []) + form.bytes(Self.list.replacing("?", with: "Ünï 中 😀"))
        try expectEqual(names(bytes), ["Ünï 中 😀"])
    }

    @Test func playlistUsesSpecifiedEncoding() throws {
        // “Ý” in windows-1252, and “İ” in windows-1254.
        let bytes = Array(Self.list.utf8).map { $0 == 0x3F ? 0xDD : $0 }
        try expectEqual(names(bytes, encoding: "windows-1252"), ["Ý"])
        try expectEqual(names(bytes, encoding: "windows-1254"), ["İ"])
    }
}
