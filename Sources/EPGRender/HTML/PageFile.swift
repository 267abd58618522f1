import CPage
import EPGModel

/// A file of the pages, embedded in the program.
package struct PageFile: Sendable {
    package let name: String
    /// As `Content-Type` states it.
    package let mediaType: String
    package let bytes: [UInt8]
    /// A hash of the content, which makes the URL of the file immutable.
    package let hash: String

    private init?(_ file: cpage_file) {
        guard let name = String(validatingCString: file.name), let type = PageFile.mediaType(of: name) else {
            return nil
        }
        let embedded = Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
        let bytes = name.hasSuffix(".js") ? PageFile.removingCommentLines(embedded) : embedded
        self.name = name
        mediaType = type
        self.bytes = bytes
        hash = ContentHasher.fixed.hash(bytes.span).base36
    }

    /// All files by name.
    package static let all: [String: PageFile] = {
        var files: [String: PageFile] = [:]
        for index in 0..<cpage_file_count() {
            guard let content = cpage_file_at(index)?.pointee, let file = PageFile(content) else {
                preconditionFailure("a file of CPage has an unknown type")
            }
            files[file.name] = file
        }
        return files
    }()

    /// The immutable URL of a file.
    ///
    /// - Precondition: CPage contains the file.
    package static func url(of name: String) -> String {
        guard let file = all[name] else { preconditionFailure("CPage does not contain \(name)") }
        return "/assets/\(name)?v=\(file.hash)"
    }

    /// Returns a script without the lines that hold nothing but a comment, which are a quarter of the scripts when compressed.
    ///
    /// A comment line begins with `//` or `/*`, and a comment that begins with `/*` ends at the end of a line. Scripts have no
    /// template literals of several lines, whose text could look like a comment.
    static func removingCommentLines(_ script: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(script.count)
        var isInBlock = false
        for line in script.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
            let text = line.drop { $0 == UInt8(ascii: " ") }
            let begins = text.starts(with: "/*".utf8)
            if isInBlock || begins {
                isInBlock = !text.dropFirst(begins ? 2 : 0).suffix(2).elementsEqual("*/".utf8)
            } else if !text.starts(with: "//".utf8) {
                kept += line
                kept.append(UInt8(ascii: "\n"))
            }
        }
        return kept
    }

    /// The type of a file by its extension; `nil` for an unknown extension.
    private static func mediaType(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: nil
        }
    }
}

extension PageFrame.Files {
    /// The files of all pages except the guide.
    package static let common = PageFrame.Files(
        styles: [PageFile.url(of: "guide.css"), PageFile.url(of: "views.css")],
        firstScripts: [PageFile.url(of: "page.js")], scripts: [], icon: PageFile.url(of: "icon.svg"))

    /// The files of the guide.
    package static let guide = PageFrame.Files(
        styles: [PageFile.url(of: "guide.css")], firstScripts: [PageFile.url(of: "page.js")],
        scripts: [PageFile.url(of: "guide.js")], icon: PageFile.url(of: "icon.svg"))
}
