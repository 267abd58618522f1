/// A picture of a programme or a station, from an icon or an image of the feed.
package struct Picture: Hashable, Sendable {
    package let url: HTTPURL
    /// The width in pixels, from 1 to 99,999; `nil` if unknown or invalid.
    package private(set) var width: Int?
    /// The height in pixels, from 1 to 99,999; `nil` if unknown or invalid.
    package private(set) var height: Int?
    /// The feed's type, such as `poster`, `backdrop` or `still`.
    package private(set) var type: String?
    /// The size class of the DTD: 1 below 400 pixels, 2 below 800, 3 above.
    package private(set) var size: Int?
    /// `P` for portrait, `L` for landscape.
    package private(set) var orientation: String?
    /// The origin, such as `tmdb`.
    package private(set) var source: String?

    fileprivate init?(_ icon: Icon) {
        guard let url = HTTPURL(icon.source) else { return nil }
        self.url = url
        width = Picture.number(icon.width, upTo: 99_999)
        height = Picture.number(icon.height, upTo: 99_999)
    }

    fileprivate init?(_ image: Programme.Image) {
        guard let url = HTTPURL(image.url) else { return nil }
        self.url = url
        type = image.type
        size = Picture.number(image.size, upTo: 3)
        orientation = image.orientation
        source = image.system
    }

    private static func number(_ text: String?, upTo limit: Int) -> Int? {
        guard let text = text?.trimmed, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text)
        else { return nil }
        return (1...limit).contains(number) ? number : nil
    }

    /// Merges pictures with the same URL and sorts them by size, largest first.
    ///
    /// Size is the longer side, or the minimum of the size class, or 0. Equal pictures keep their order.
    private static func list(_ pictures: [Picture]) -> [Picture] {
        var found: [Picture] = []
        var places: [HTTPURL: Int] = [:]
        for picture in pictures {
            if let place = places[picture.url] {
                found[place].complete(with: picture)
            } else {
                places[picture.url] = found.count
                found.append(picture)
            }
        }
        // Swift's sort is stable.
        return found.sorted { $0.longerSide > $1.longerSide }
    }

    private mutating func complete(with other: Picture) {
        width = width ?? other.width
        height = height ?? other.height
        type = type ?? other.type
        size = size ?? other.size
        orientation = orientation ?? other.orientation
        source = source ?? other.source
    }

    /// Whether it is wider than high according to the feed.
    package var isWide: Bool { orientation.map { $0 == "L" } ?? (type == "backdrop" || type == "still") }

    private var longerSide: Int {
        guard width != nil || height != nil else { return [1: 1, 2: 400, 3: 800][size ?? 0] ?? 0 }
        return max(width ?? 0, height ?? 0)
    }

    /// Returns the icons and images of a programme with a valid URL, largest first, each URL once.
    package static func pictures(of programme: Programme) -> [Picture] {
        list(programme.icons.compactMap(Picture.init) + programme.images.compactMap(Picture.init))
    }

    /// Returns the icons of a station with a valid URL, largest first, each URL once.
    package static func pictures(of station: Station) -> [Picture] {
        list(station.icons.compactMap(Picture.init))
    }
}

extension Programme {
    /// The pictures with a valid URL except pictures of people: posters, then other images, then icons.
    package var pictures: [Picture] {
        let own = images.filter { $0.type != "person" && $0.type != "character" }
        let posters = own.filter { $0.type == "poster" }
        let others = own.filter { $0.type != "poster" }
        return (posters + others).compactMap(Picture.init) + icons.compactMap(Picture.init)
    }
}
