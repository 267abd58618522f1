import EPGJSON
import EPGModel
import EPGRender

/// `/assets/NAME?v=HASH`: a file of the pages, kept for ever where the address names its hash.
struct AssetEndpoint: Endpoint {
    static let path = "/assets/{name}"

    let asset: Asset
    let freshness: Freshness

    init(_ request: inout RequestReader) throws(Problem) {
        let name = request.capture("name")
        guard let asset = Asset.all[name] else { throw .notFound("There is no file \(name.prefix(40)).") }
        self.asset = asset
        freshness = try request.text("v", atMost: 40) == asset.hash ? .immutable : .live
    }

    func answer(_ guide: GuideView) throws -> Document { asset.document }
}

/// `/favicon.ico`: the icon, for browsers that ask without having read a page.
struct IconEndpoint: Endpoint {
    static let path = "/favicon.ico"

    init(_ request: inout RequestReader) throws(Problem) {}

    func answer(_ guide: GuideView) throws -> Document {
        guard let icon = Asset.all["icon.svg"] else { throw Problem.notFound("There is no icon.") }
        return icon.document
    }
}

/// `/manifest.webmanifest`: lets the guide be put on a home screen.
struct ManifestEndpoint: Endpoint {
    static let path = "/manifest.webmanifest"

    init(_ request: inout RequestReader) throws(Problem) {}

    func answer(_ guide: GuideView) throws -> Document {
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
                            json.member("src", Asset.address(of: "icon.svg"))
                            json.member("sizes", "any")
                            json.member("type", "image/svg+xml")
                        }
                    })
            }
        }
    }
}

/// `/robots.txt`: search engines may read the pages, not every hour of the grid and not the interface for programs.
struct RobotsEndpoint: Endpoint {
    static let path = "/robots.txt"

    init(_ request: inout RequestReader) throws(Problem) {}

    func answer(_ guide: GuideView) throws -> Document {
        Document(
            .plain, text: "User-agent: *\nDisallow: /api/\nDisallow: /search\nDisallow: /grid.svg\nDisallow: /*?\n")
    }
}
