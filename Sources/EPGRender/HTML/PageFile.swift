import CPage
package import EPGJSON
import EPGModel

/// A file of the pages, embedded in the program.
package struct PageFile: Sendable {
    /// The name, by which pages refer to the file.
    package let name: String
    /// The value of `Content-Type`.
    package let mediaType: String
    /// The content.
    package let bytes: [UInt8]

    private init(name: String, mediaType: String, bytes: [UInt8]) {
        self.name = name
        self.mediaType = mediaType
        self.bytes = bytes
    }

    private init?(_ file: cpage_file) {
        guard let name = String(validatingCString: file.name), let type = PageFile.mediaType(of: name) else {
            return nil
        }
        let embedded = Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
        let isText = name.hasSuffix(".js") || name.hasSuffix(".css")
        let bytes = isText ? PageFile.compacted(embedded) : embedded
        self.init(name: name, mediaType: type, bytes: bytes)
    }

    /// The files in the syntax of Chrome 79, for the browsers of televisions: LG has it from 2021 on, and Samsung newer ones from 2022 on.
    package static let forTelevisions: [String: PageFile] = all.mapValues(\.lowered)

    private var lowered: PageFile {
        let lowered =
            if name.hasSuffix(".js") {
                ScriptLowering.lowered(bytes)
            } else if name.hasSuffix(".css") {
                StyleLowering.lowered(bytes)
            } else {
                bytes
            }
        return PageFile(name: name, mediaType: mediaType, bytes: lowered)
    }

    private init(name: String, script bytes: [UInt8]) {
        self.name = name
        mediaType = "text/javascript; charset=utf-8"
        self.bytes = bytes
    }

    /// All files by name. The scripts with the texts of a language begin with it: `page.js` is part of one file for each language.
    package static let all: [String: PageFile] = {
        var files: [String: PageFile] = [:]
        for index in 0..<cpage_file_count() {
            guard let content = cpage_file_at(index)?.pointee, let file = PageFile(content) else {
                preconditionFailure("CPage contains a file of unknown type")
            }
            files[file.name] = file
        }
        guard let page = files.removeValue(forKey: "page.js") else {
            preconditionFailure("CPage does not contain the script of all pages")
        }
        files["guide.js"] = guide(of: files)
        for name in guideModules.dropLast() { files[name] = nil }
        for (name, file) in files where name.hasSuffix(".js") && name != "guide.js" {
            let text = String(decoding: file.bytes, as: UTF8.self)
            files[name] = PageFile(name: name, script: Array(text.replacing(moduleOfGuide, with: "'./guide.js';").utf8))
        }
        let languages = "[" + PageTexts.all.map { "['\($0.language)', '\($0.name)']" }.joined(separator: ", ") + "]"
        for texts in PageTexts.all {
            let page =
                Array("'use strict';\nconst epgTexts = ".utf8) + texts.gridScript + Array(";\n".utf8) + page.bytes
            let more =
                Array("Object.assign(epgTexts, ".utf8) + texts.moreScript
                + Array(", {languages: \(languages)});\n".utf8)
            for file in [
                PageFile(name: texts.pageScript, script: page), PageFile(name: texts.moreTextsScript, script: more),
            ] {
                files[file.name] = file
            }
        }
        return files
    }()

    /// The modules of the guide, which browsers load as one file. Separately, they would take 3.5 kB more compressed, and a request each.
    private static let guideModules = [
        "base.js", "listings.js", "drawing.js", "elements.js", "controls.js", "guide.js",
    ]

    private static var moduleOfGuide: Regex<Substring> { /'\.\/(?:base|listings|drawing|elements|controls)\.js';/ }

    /// Returns the modules of the guide as one. A name at their outermost level belongs to only one of them, which `make lint` verifies.
    private static func guide(of files: [String: PageFile]) -> PageFile {
        var imports: [Substring] = []
        var lines: [Substring] = []
        for name in guideModules {
            guard let module = files[name] else { preconditionFailure("CPage does not contain \(name)") }
            var statement: [Substring]?
            for line in String(decoding: module.bytes, as: UTF8.self).split(separator: "\n") {
                guard line.hasPrefix("import {") || statement != nil else {
                    lines.append(line)
                    continue
                }
                statement = (statement ?? []) + [line]
                guard line.contains(" from '") else { continue }
                let text = statement?.joined() ?? ""
                if !text.contains(moduleOfGuide), !imports.contains(text[...]) { imports.append(text[...]) }
                statement = nil
            }
        }
        return PageFile(name: "guide.js", script: Array((imports + lines).map { $0 + "\n" }.joined().utf8))
    }

    /// A hash of all files, which makes their URLs immutable. Modules import each other by relative URLs, so all files have the
    /// same one.
    package static let version = version(of: all)

    /// The version in the URLs of ``forTelevisions``.
    package static let televisionVersion = version(of: forTelevisions) + "-tv"

    private static func version(of files: [String: PageFile]) -> String {
        let content = files.sorted { $0.key < $1.key }.flatMap { Array($0.key.utf8) + $0.value.bytes }
        return ContentHasher.fixed.hash(content.span).base36
    }

    /// The immutable URL of a file.
    ///
    /// - Precondition: CPage contains the file.
    package static func url(of name: String) -> String {
        precondition(all[name] != nil, "CPage does not contain \(name)")
        return "/assets/\(version)/\(name)"
    }

    /// Returns a script or a style sheet without indentation and without the lines that hold nothing but a comment, which are a
    /// quarter of a compressed script and a sixth of a style sheet.
    ///
    /// A comment line begins with `//` or `/*`, and a comment that begins with `/*` ends at the end of a line. Scripts have no
    /// template literals of several lines, whose text could look like a comment.
    static func compacted(_ text: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(text.count)
        var isInBlock = false
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
            let line = line.drop { $0 == UInt8(ascii: " ") }
            let begins = line.starts(with: "/*".utf8)
            if isInBlock || begins {
                isInBlock = !line.dropFirst(begins ? 2 : 0).suffix(2).elementsEqual("*/".utf8)
            } else if !line.isEmpty, !line.starts(with: "//".utf8) {
                kept += line
                kept.append(UInt8(ascii: "\n"))
            }
        }
        return kept
    }

    /// Returns the media type for the extension of a name; `nil` if it is unknown.
    private static func mediaType(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        default: nil
        }
    }
}

extension PageTexts {
    /// The name of the script that all pages load first, with the texts that the guide needs at once.
    fileprivate var pageScript: String { "page-\(language).js" }

    /// The name of the script with the other texts, which also is a module.
    fileprivate var moreTextsScript: String { "more-\(language).js" }
}

extension PageFrame.Files {
    /// The same files, and others that only televisions need, in the syntax of Chrome 79.
    var forTelevision: PageFrame.Files {
        var files = self
        files.styles.append(PageFile.url(of: "tv.css"))
        files.firstScripts.insert(PageFile.url(of: "older.js"), at: 0)
        files.scripts.append(PageFile.url(of: "tv.js"))
        let lowered = { (url: String) in
            url.replacing("/\(PageFile.version)/", with: "/\(PageFile.televisionVersion)/", maxReplacements: 1)
        }
        files.styles = files.styles.map(lowered)
        files.firstScripts = files.firstScripts.map(lowered)
        files.scripts = files.scripts.map(lowered)
        files.imports = files.imports.map(lowered)
        return files
    }

    /// The files of all pages except the guide.
    package static func common(in texts: PageTexts) -> PageFrame.Files {
        PageFrame.Files(
            styles: [PageFile.url(of: "guide.css"), PageFile.url(of: "views.css")],
            firstScripts: [PageFile.url(of: texts.pageScript), PageFile.url(of: texts.moreTextsScript)], scripts: [],
            icon: PageFile.url(of: "icon.svg"), touchIcon: PageFile.url(of: "icon-180.png"))
    }

    /// The files of the guide.
    package static func guide(in texts: PageTexts) -> PageFrame.Files {
        PageFrame.Files(
            styles: [PageFile.url(of: "guide.css")], firstScripts: [PageFile.url(of: texts.pageScript)],
            scripts: [PageFile.url(of: "guide.js")],
            imports: [PageFile.url(of: "watched.js")],
            icon: PageFile.url(of: "icon.svg"), touchIcon: PageFile.url(of: "icon-180.png"))
    }

    /// The files of the home page and of the stations page.
    package static func lists(in texts: PageTexts) -> PageFrame.Files {
        var files = common(in: texts)
        files.scripts = [PageFile.url(of: "views.js")]
        return files
    }

    /// The files of pages with buttons for watch rules.
    package static func watching(in texts: PageTexts) -> PageFrame.Files {
        var files = common(in: texts)
        files.scripts = [PageFile.url(of: "watch.js")]
        files.imports = [PageFile.url(of: "watched.js"), PageFile.url(of: "reminders.js")]
        return files
    }

    /// The files of the watchlist.
    package static func watchlist(in texts: PageTexts) -> PageFrame.Files {
        var files = watching(in: texts)
        files.scripts.append(PageFile.url(of: "rules.js"))
        return files
    }
}

/// The web application manifest, which lets people install the pages on a home screen.
package struct WebManifest: JSONObject {
    private let title: String

    /// An icon of the manifest. A system may crop a maskable icon to any shape that contains the middle 80%.
    private struct Icon: JSONObject {
        let file: String
        let size: Int?
        let purpose: String

        func writeMembers(to json: inout JSONWriter) {
            json.member("src", PageFile.url(of: file))
            json.member("sizes", size.map { "\($0)x\($0)" } ?? "any")
            json.member("type", PageFile.all[file]?.mediaType)
            json.member("purpose", purpose)
        }
    }

    private static let icons = [
        Icon(file: "icon.svg", size: nil, purpose: "any"), Icon(file: "icon-192.png", size: 192, purpose: "any"),
        Icon(file: "icon-512.png", size: 512, purpose: "any"),
        Icon(file: "icon-maskable-512.png", size: 512, purpose: "maskable"),
    ]

    /// - Parameter title: The name of the service.
    package init(title: String) {
        self.title = title
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", "/")
        json.member("name", title)
        json.member("short_name", title)
        json.member("start_url", "/")
        json.member("scope", "/")
        json.member("display", "standalone")
        json.member("background_color", "#f4f5f7")
        json.member("theme_color", "#1f5fbf")
        json.member("icons", WebManifest.icons)
    }
}

/// The script of the service worker, which keeps pages for reading offline.
package struct ServiceWorker: Sendable {
    /// The script in UTF-8. It differs between versions of any file of the pages, so that browsers replace it.
    package let bytes: [UInt8]

    /// - Parameters:
    ///   - title: The name of the service, which the offline page contains.
    ///   - texts: The language of the stored pages.
    package init(title: String, texts: PageTexts) {
        guard let script = PageFile.all["service-worker.js"] else {
            preconditionFailure("CPage does not contain the service worker")
        }
        let (guide, others) = (
            PageFrame.Files.guide(in: texts),
            [
                texts.moreTextsScript, "views.css", "views.js", "dialogs.css", "dialogs.js", "print.js", "reminders.js",
                "search.js", "watch.js", "icon.svg",
            ]
        )
        let files = guide.styles + guide.firstScripts + guide.scripts + guide.imports + others.map(PageFile.url)
        let version = ContentHasher.fixed.hash(Array("\(PageFile.version) \(texts.language) \(title)".utf8).span).base36
        let shell = (files + ["/offline?ui=\(texts.language)"]).map { "'\($0)'" }.joined(separator: ", ")
        bytes = Array("'use strict';\nconst version = '\(version)', shell = [\(shell)];\n".utf8) + script.bytes
    }
}
