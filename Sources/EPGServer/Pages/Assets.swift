import CPage
import EPGJSON
import EPGRender
import NIOCore

/// A file of the pages, embedded in the program.
struct Asset: Sendable {
    let name: String
    let document: Document
    /// A hash of the content, which makes the URL of the file immutable.
    let hash: String

    private init?(_ file: cpage_file) {
        guard let name = String(validatingCString: file.name), let type = MediaType(ofAsset: name) else { return nil }
        self.name = name
        document = Document(type, ByteBuffer(bytes: UnsafeBufferPointer(start: file.bytes, count: file.length)))
        hash = EntityTag(of: document.bytes, isCompressed: false).value.filter { $0 != "\"" }
    }

    /// All files by name.
    static let all: [String: Asset] = {
        var assets: [String: Asset] = [:]
        for index in 0..<cpage_file_count() {
            guard let file = cpage_file_at(index)?.pointee, let asset = Asset(file) else {
                preconditionFailure("a file of CPage has an unknown type")
            }
            assets[asset.name] = asset
        }
        return assets
    }()

    /// The immutable URL of a file.
    ///
    /// - Precondition: CPage contains the file.
    static func url(of name: String) -> String {
        guard let asset = all[name] else { preconditionFailure("CPage does not contain \(name)") }
        return "/assets/\(name)?v=\(asset.hash)"
    }
}

extension MediaType {
    private static let css = MediaType("text/css; charset=utf-8", isText: true)
    private static let javaScript = MediaType("text/javascript; charset=utf-8", isText: true)
    fileprivate static let manifest = MediaType("application/manifest+json", isText: true)

    /// The type of a file by its extension; `nil` for an unknown extension.
    fileprivate init?(ofAsset name: String) {
        switch name.split(separator: ".").last {
        case "css": self = .css
        case "js": self = .javaScript
        case "svg": self = .svg
        default: return nil
        }
    }
}

extension PageFrame.Files {
    /// The files of all pages except the guide.
    static let common = PageFrame.Files(
        styles: [Asset.url(of: "guide.css"), Asset.url(of: "views.css")],
        firstScripts: [Asset.url(of: "page.js")], scripts: [], icon: Asset.url(of: "icon.svg"))

    /// The files of the guide.
    static let guide = PageFrame.Files(
        styles: [Asset.url(of: "guide.css")], firstScripts: [Asset.url(of: "page.js")],
        scripts: [Asset.url(of: "guide.js")], icon: Asset.url(of: "icon.svg"))
}

// MARK: - Endpoints

/// `/assets/NAME?v=HASH`: a file of the pages; immutable if the URL contains its hash.
struct AssetEndpoint: Endpoint {
    static let path = "/assets/{name}"

    let freshness: Freshness
    private let asset: Asset

    init(_ parameters: inout ParameterReader) throws(Problem) {
        let name = parameters.path("name")
        guard let asset = Asset.all[name] else { throw .notFound("There is no file \(name.prefix(40)).") }
        self.asset = asset
        freshness = try parameters.text("v", maximumLength: 40) == asset.hash ? .immutable : .revalidated
    }

    func document(from guide: GuideView) throws -> Document { asset.document }
}

/// `/favicon.ico`: the icon, for browsers that request it by default.
struct IconEndpoint: Endpoint {
    static let path = "/favicon.ico"

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    func document(from guide: GuideView) throws -> Document {
        guard let icon = Asset.all["icon.svg"] else { throw Problem.notFound("There is no icon.") }
        return icon.document
    }
}

/// `/manifest.webmanifest`: lets people install the guide on a home screen.
struct ManifestEndpoint: Endpoint {
    static let path = "/manifest.webmanifest"

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    func document(from guide: GuideView) throws -> Document {
        Document(.manifest) { json in
            json.object { json in
                json.member("name", guide.site.title)
                json.member("short_name", guide.site.title)
                json.member("start_url", "/")
                json.member("display", "standalone")
                json.member("background_color", "#f4f5f7")
                json.member("theme_color", "#1f5fbf")
                json.member(
                    "icons",
                    array: { json in
                        json.object { json in
                            json.member("src", Asset.url(of: "icon.svg"))
                            json.member("sizes", "any")
                            json.member("type", "image/svg+xml")
                        }
                    })
            }
        }
    }
}

/// `/robots.txt`: lets search engines read the pages, but neither every hour of the grid nor the API.
struct RobotsEndpoint: Endpoint {
    static let path = "/robots.txt"

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    func document(from guide: GuideView) throws -> Document {
        Document(
            .plain, text: "User-agent: *\nDisallow: /api/\nDisallow: /search\nDisallow: /grid.svg\nDisallow: /*?\n")
    }
}
