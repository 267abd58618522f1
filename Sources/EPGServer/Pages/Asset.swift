import CPage
import EPGRender
import HTTPTypes
import NIOCore

/// A file of the pages, embedded in the program.
struct Asset: Sendable {
    let name: String
    let mediaType: MediaType
    let bytes: ByteBuffer
    /// What the address names it by, so that it can be kept for ever: a hash of the bytes.
    let hash: String

    private init?(_ file: cpage_file) {
        guard let name = String(validatingCString: file.name), let type = MediaType(ofAsset: name) else { return nil }
        self.name = name
        mediaType = type
        bytes = ByteBuffer(bytes: UnsafeBufferPointer(start: file.bytes, count: file.length))
        var hash = FNV1a()
        hash.combine(String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.length), as: UTF8.self))
        self.hash = String(hash.value, radix: 36)
    }

    /// All files, by name.
    static let all: [String: Asset] = {
        var assets: [String: Asset] = [:]
        for place in 0..<cpage_file_count() {
            guard let file = cpage_file_at(place)?.pointee, let asset = Asset(file) else {
                preconditionFailure("a file of CPage has a name of no known type")
            }
            assets[asset.name] = asset
        }
        return assets
    }()

    /// The address under which a file is kept for ever.
    ///
    /// - Precondition: There is a file of that name.
    static func address(of name: String) -> String {
        guard let asset = all[name] else { preconditionFailure("there is no file \(name) in CPage") }
        return "/assets/\(name)?v=\(asset.hash)"
    }

    var document: Document { Document(mediaType, bytes) }
}

extension MediaType {
    static let css = MediaType("text/css; charset=utf-8", isText: true)
    static let javaScript = MediaType("text/javascript; charset=utf-8", isText: true)
    static let manifest = MediaType("application/manifest+json", isText: true)

    /// The type of a file by the end of its name.
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
    /// What every page needs; ``PageFrame/Files/guide`` is for the guide.
    static let common = PageFrame.Files(
        styles: [Asset.address(of: "guide.css"), Asset.address(of: "views.css")],
        firstScripts: [Asset.address(of: "page.js")], scripts: [], icon: Asset.address(of: "icon.svg"))

    /// What the guide needs.
    static let guide = PageFrame.Files(
        styles: [Asset.address(of: "guide.css")], firstScripts: [Asset.address(of: "page.js")],
        scripts: [Asset.address(of: "guide.js")], icon: Asset.address(of: "icon.svg"))
}
