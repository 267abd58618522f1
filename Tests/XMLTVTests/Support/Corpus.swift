import Foundation
import TestSupport

/// Small valid documents for mutations.
enum Corpus {
    /// Fictional documents that together use most constructs.
    static let written: [[UInt8]] = [
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE tv SYSTEM "xmltv.dtd">
        <!-- a guide --><?style none?>
        <tv generator-info-name='test "one"' source-info-url="http://example.org/?a=1&amp;b=2">
          <channel id="one.example"><display-name lang="de">Eins &amp; Zwei</display-name><icon src="a.png"/></channel>
          <programme start="20231127200000 +0100" stop="20231127210000 +0100" channel="one.example">
            <title lang="de">Gr\u{FC}\u{DF}e aus K\u{F6}ln</title>
            <desc><![CDATA[A <b>bold</b> & brave text]]> and &#x1F600; more&#10;lines ]] ></desc>
            <credits><director>\u{4E2D}\u{6587}</director><!-- nobody else --></credits>
          </programme>
        </tv>
        <!-- the end -->

        """,
        "<!DOCTYPE tv [<!ELEMENT tv ANY><!ATTLIST tv a CDATA 'b'><!-- ' -->]><tv c='d'>text<x/></tv>",
        "<tv>\r\n<a b=' 1\r\n2\t3 '>line\r\nline\rline</a>\r\n</tv>\r\n",
        "<!DOCTYPE tv PUBLIC '-//X//Y' 'z'><tv>&known; and &unknown;<a b='&other;'/></tv>",
        "<tv/>",
    ].map { Array($0.utf8) }

    /// Returns excerpts of real guides as documents, each with up to about eight kilobytes of children of the root.
    static func pieces(of guides: [[UInt8]], count: Int, seed: UInt64) -> [[UInt8]] {
        var random = SplitMix(seed: seed)
        var pieces = Array(guides.filter { $0.count <= 8192 }.shuffled(using: &random).prefix(count / 4))
        let large = guides.filter { $0.count > 8192 }
        while pieces.count < count, let guide = large.randomElement(using: &random) {
            let start = Int.random(in: 0..<guide.count - 8192, using: &random)
            let window = guide[start..<start + Int.random(in: 1024...8192, using: &random)]
            let first = positions(of: "<programme", in: window).first
            let last = positions(of: "</programme>", in: window).last
            if let first, let last, first < last {
                pieces.append(Array("<tv>".utf8) + window[first..<last + 12] + Array("</tv>\n".utf8))
            } else {
                pieces.append(Array(window))
            }
        }
        return pieces
    }

    private static func positions(of text: String, in window: ArraySlice<UInt8>) -> [Int] {
        let wanted = Array(text.utf8)
        return window.indices.dropLast(wanted.count - 1).filter { index in
            window[index] == wanted[0] && window[index..<index + wanted.count].elementsEqual(wanted)
        }
    }
}

/// The real guides next to the package.
enum SharedFolder {
    /// Returns all files that look like XML or compressed XML, sorted by path.
    static func documents() -> [URL] {
        let endings = ["xml", "xml.gz", "xml-expected", "expected", "xsd"]
        let found = FileManager.default.enumerator(at: PackageFiles.sharedData, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? [])
            .filter { file in endings.contains { file.lastPathComponent.lowercased().hasSuffix(".\($0)") } }
            .sorted { $0.path() < $1.path() }
    }

    /// Returns the path relative to the folder.
    static func name(of file: URL) -> String { String(file.path().dropFirst(PackageFiles.sharedData.path().count)) }

    /// Returns the bytes of a file, decompressed if necessary.
    static func bytes(of file: URL) throws -> [UInt8] {
        guard file.pathExtension == "gz" else { return [UInt8](try Data(contentsOf: file)) }
        return try TestProgram.output(of: "gzip", ["-dc", file.path()])
    }
}
