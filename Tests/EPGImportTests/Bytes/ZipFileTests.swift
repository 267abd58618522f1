import EPGImport
import TestSupport
import Testing
import XMLTV

@Suite struct ZipFileTests {
    static let guide = Archives.guide(programmes: 300)

    /// Returns an archive that Python's zipfile wrote to a file, or to a stream with a data descriptor after each entry.
    static func python(_ body: String, isStream: Bool = false) throws -> [UInt8] {
        let target = isStream ? "Stream()" : "'a.zip'"
        let script = """
            import io, sys, zipfile
            from zipfile import *
            class Stream(io.RawIOBase):
                def writable(self): return True
                def write(self, bytes): sys.stdout.buffer.write(bytes); return len(bytes)
            guide = open('guide.xml', 'rb').read()
            with ZipFile(\(target), 'w', ZIP_DEFLATED) as archive:
            \(body.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
            if not \(isStream ? "True" : "False"):
                sys.stdout.buffer.write(open('a.zip', 'rb').read())
            """
        return try Archives.compress(guide, "cat > make.py <<'END'\n\(script)\nEND\npython3 make.py")
    }

    @Test(
        .needs(.programs("zip")),
        arguments: [
            "zip -q - guide.xml", "zip -q - -", "zip -q0 a.zip guide.xml; cat a.zip",
            "zip -q9 a.zip guide.xml; cat a.zip",
        ])
    func outputOfZipProgramIsExtracted(command: String) throws {
        let result = ReadResult(decompressing: try Archives.compress(Self.guide, command))
        expectEqual(result.fault, nil)
        expectEqual(result.bytes, Self.guide)
    }

    @Test(
        .needs(.programs("python3")), arguments: [true, false],
        [
            "archive.writestr('guide.xml', guide)",
            "archive.writestr('guide.xml', guide, ZIP_BZIP2)",
            "with archive.open('guide.xml', 'w', force_zip64=True) as file: file.write(guide)",
        ])
    func outputOfPythonZipfileIsExtracted(isStream: Bool, body: String) throws {
        let result = ReadResult(decompressing: try Self.python(body, isStream: isStream))
        expectEqual(result.fault, nil)
        expectEqual(result.bytes, Self.guide)
    }

    @Test(.needs(.programs("python3")), arguments: [true, false])
    func firstEntryThatLooksLikeAGuideIsExtracted(isStream: Bool) throws {
        let compressed = try Self.python(
            """
            archive.writestr('folder/', b'', ZIP_DEFLATED)
            archive.writestr('__MACOSX/._guide.xml', bytes([0, 5, 0x16, 7]) + bytes(200))
            archive.writestr('empty.xml', b'')
            archive.writestr('README.txt', b'Read me first. ' * 9000)
            archive.writestr('index.html', b'<!DOCTYPE html><html></html>')
            archive.writestr('feed.xml', b'<?xml version="1.0"?><rss></rss>')
            archive.writestr('logo.png', bytes([0x89, 0x50, 0x4E, 0x47]) + bytes(range(256)) * 400)
            archive.writestr('guide.dat', guide)
            archive.writestr('second.xml', b'<tv/>')
            """, isStream: isStream)
        let result = ReadResult(decompressing: compressed)
        expectEqual(result.fault, nil)
        expectEqual(result.bytes, Self.guide)
    }

    @Test(.needs(.programs("python3")), arguments: ["{\"a\": 1}", "#EXTM3U", "<tv/>"])
    func entriesInOtherGuideFormatsAreExtracted(text: String) throws {
        let compressed = try Self.python("archive.writestr('x.txt', b'x')\narchive.writestr('y', b'''\(text)''')")
        expectEqual(ReadResult(decompressing: compressed).bytes, Array(text.utf8))
    }

    @Test(.needs(.programs("python3")))
    func zipArchiveWithoutGuideIsRejected() throws {
        let cases = [
            ("pass", "it is empty"),
            ("archive.writestr('x.txt', b'x')", "its only entry is not XMLTV, JSON, or a playlist (M3U)"),
            (
                "archive.writestr('a/', b'')\narchive.writestr('a/x.txt', b'x')",
                "none of its 2 entries is XMLTV, JSON, or a playlist (M3U)"
            ),
        ]
        for (body, found) in cases {
            let result = ReadResult(decompressing: try Self.python(body))
            expectEqual(result.fault, .noGuide("this zip archive has no guide: \(found)"))
            expectEmpty(result.bytes)
        }
    }

    @Test(.needs(.programs("python3", "zip")))
    func unreadableEntryIsReported() throws {
        let unknown = try Self.python("archive.writestr('guide.xml', guide, ZIP_LZMA)")
        let encrypted = try Archives.compress(Self.guide, "zip -q -P secret - guide.xml")
        // Streamed zip archives can't declare the length of stored entries.
        let stored = try Self.python("archive.writestr('guide.xml', guide, ZIP_STORED)", isStream: true)
        for (compressed, detail) in [
            (unknown, "an entry has the unsupported compression method 14"),
            (encrypted, "it is encrypted; extract it with its password first"),
            (stored, "an entry is stored without its length; create the archive again"),
        ] {
            let result = ReadResult(decompressing: compressed)
            expectEqual(result.fault, .damaged(format: "zip", detail: detail))
            expectEqual(result.bytes, [], detail)
        }
    }

    @Test(.needs(.programs("python3")))
    func entryWithUnknownCompressionMethodIsSkipped() throws {
        let body = "archive.writestr('x', guide, ZIP_LZMA)\narchive.writestr('guide.xml', guide)"
        expectEqual(ReadResult(decompressing: try Self.python(body)).bytes, Self.guide)
    }

    @Test(.needs(.programs("python3")))
    func emptyStoredEntryWithoutLengthIsSkipped() throws {
        let body = "archive.writestr('x', b'', ZIP_STORED)\narchive.writestr('guide.xml', guide)"
        let result = ReadResult(decompressing: try Self.python(body, isStream: true))
        expectEqual(result.fault, nil)
        expectEqual(result.bytes, Self.guide)
    }

    @Test(.needs(.programs("zip")))
    func wrongChecksumIsDamage() throws {
        var compressed = try Archives.compress(Self.guide, "zip -q a.zip guide.xml; cat a.zip")
        compressed[14] ^= 1
        let result = ReadResult(decompressing: compressed)
        expectEqual(result.bytes, Self.guide)
        expectEqual(result.fault, .damaged(format: "zip", detail: "the checksum or length of an entry is wrong"))
    }
}
