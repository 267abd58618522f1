import EPGRender
import NIOCore

/// `/assets/NAME?v=HASH`: a file of the pages; immutable if the URL contains its hash.
struct AssetEndpoint: Endpoint {
    static let path = "/assets/{name}"

    let freshness: Freshness
    private let file: PageFile

    init(_ parameters: inout ParameterReader) throws(Problem) {
        let name = parameters.path("name")
        guard let file = PageFile.all[name] else { throw .notFound("There is no file \(name.prefix(40)).") }
        self.file = file
        freshness = try parameters.text("v", maximumLength: 40) == file.hash ? .immutable : .revalidated
    }

    func document(from guide: GuideView) throws -> Document { Document(file) }
}

/// `/favicon.ico`: the icon, for browsers that request it by default.
struct IconEndpoint: Endpoint {
    static let path = "/favicon.ico"

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    func document(from guide: GuideView) throws -> Document {
        guard let icon = PageFile.all["icon.svg"] else { throw Problem.notFound("There is no icon.") }
        return Document(icon)
    }
}

/// `/manifest.webmanifest`: lets people install the guide on a home screen.
struct ManifestEndpoint: Endpoint {
    static let path = "/manifest.webmanifest"

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    func document(from guide: GuideView) throws -> Document {
        Document(
            MediaType("application/manifest+json", isText: true),
            json: WebManifest(title: guide.site.title, icon: PageFile.url(of: "icon.svg")))
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

extension Document {
    fileprivate init(_ file: PageFile) {
        self.init(MediaType(file.mediaType, isText: true), ByteBuffer(bytes: file.bytes))
    }
}
