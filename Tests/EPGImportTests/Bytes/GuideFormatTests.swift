import EPGImport
import TestSupport
import Testing

@Suite struct GuideFormatTests {
    static let cases: [(text: String, format: GuideFormat)] = [
        ("", .empty), (" \r\n\t ", .empty), ("\u{FEFF}", .empty), ("\u{FEFF}\n", .empty),
        ("<tv>", .xmltv), ("<tv", .xmltv), ("<TV source='x'>", .xmltv), ("\n\n <tv/>", .xmltv),
        ("<?xml version=\"1.0\"?>", .xmltv), ("<?xml version=\"1.0\"?>\n<tv>", .xmltv), ("\u{FEFF}<?xml?><tv>", .xmltv),
        ("<?xml?><!-- <html> --><!DOCTYPE tv SYSTEM \"xmltv.dtd\">", .xmltv), ("<!-- not closed", .xmltv),
        ("<!DOCTYPE tv>", .xmltv), ("<!doctype  tv[", .xmltv), ("<programme start=", .xmltv), ("<channel id=", .xmltv),
        ("<!DOCTYPE html>", .htmlPage), ("<!doctype HTML PUBLIC", .htmlPage), ("<html lang=en>", .htmlPage),
        ("<HTML>", .htmlPage), (" \n<head>", .htmlPage), ("<?xml?>\n<!DOCTYPE html PUBLIC>", .htmlPage),
        ("<!-- a comment --> <html>", .htmlPage), ("<br />\n<b>Warning</b>: mysqli", .htmlPage),
        ("<rss version=\"2.0\">", .other), ("<tvguide>", .other), ("<>", .xmltv), ("<", .xmltv),
        ("{", .json), (" {\"a\": 1}", .json), ("[", .json), ("[ {", .json), ("[]", .json), ("[[1", .json),
        ("\u{FEFF}[1", .json),
        ("[playlist]\nFile1=", .unknown),
        ("#EXTM3U", .playlist), ("#extm3u x-tvg-url=\"\"", .playlist), ("\u{FEFF}#EXTM3U", .playlist),
        ("#EXTINF:-1,Name", .playlist), ("# a comment", .unknown), ("#EXT", .unknown),
        ("# mine\n#EXTM3U", .playlist), ("# mine\nhttp://a.test/1", .playlist), ("https://a.test/1.ts", .playlist),
        ("Not found", .unknown), ("\0\0\0\0\0\0", .unknown), ("PK", .unknown), ("404", .unknown),
    ]

    @Test(arguments: cases)
    func formatIsDetectedFromFirstBytes(text: String, format: GuideFormat) {
        expectEqual(GuideFormat(firstBytes: Array(text.utf8)), format)
    }

    @Test(arguments: cases.filter { !$0.text.utf8.contains(0) && $0.text.unicodeScalars.first != "\u{FEFF}" })
    func wideEncodingsAreDetectedInBothByteOrdersWithAndWithoutMark(text: String, format: GuideFormat) {
        let low16 = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let high16 = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let units = text.unicodeScalars.map { scalar in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
        }
        let high32 = units.flatMap { $0 }
        let low32 = units.flatMap { $0.reversed() }
        let encoded: [(name: String, mark: [UInt8], bytes: [UInt8])] = [
            ("UTF-16LE", [0xFF, 0xFE], low16), ("UTF-16BE", [0xFE, 0xFF], high16),
            ("UTF-32LE", [0xFF, 0xFE, 0, 0], low32), ("UTF-32BE", [0, 0, 0xFE, 0xFF], high32),
        ]
        for (name, mark, bytes) in encoded {
            expectEqual(GuideFormat(firstBytes: bytes), format, name)
            expectEqual(GuideFormat(firstBytes: mark + bytes), format, "\(name) with a mark")
        }
    }

    @Test func compressionFormatIsDetectedFromFirstBytes() {
        let cases: [(bytes: [UInt8], format: CompressionFormat?)] = [
            ([0x1F, 0x8B], .gzip), ([0x1F], nil), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], .xz),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A], nil),
            (Array("BZh9".utf8), .bzip2), (Array("BZh0".utf8), nil), (Array("BZh".utf8), nil),
            (Array("BZhello".utf8), nil),
            ([0x28, 0xB5, 0x2F, 0xFD], .zstd), ([0x50, 0x2A, 0x4D, 0x18], .zstd), ([0x5F, 0x2A, 0x4D, 0x18], .zstd),
            ([0x60, 0x2A, 0x4D, 0x18], nil), ([0x50, 0x4B, 3, 4], .zip), ([0x50, 0x4B, 5, 6], .zip),
            (Array("PK".utf8), nil),
            ([], nil), (Array("<tv>".utf8), nil),
        ]
        for (bytes, format) in cases { expectEqual(CompressionFormat(firstBytes: bytes), format, "\(bytes)") }
    }
}
