package import EPGJSON
package import EPGModel

/// A picture of a programme or a station, whether the feed has it as an icon or as an image.
package struct Picture: Hashable, Sendable {
    package let address: HTTPAddress
    /// In pixels, from 1 to 99,999; `nil` if the feed gives no such number.
    package private(set) var width: Int?
    package private(set) var height: Int?
    /// What it shows: `poster`, `backdrop`, `still`, or what else the feed writes.
    package private(set) var type: String?
    /// The DTD's class of its size: 1 below 400 pixels, 2 below 800, 3 above.
    package private(set) var size: Int?
    /// `P` for portrait, `L` for landscape.
    package private(set) var orientation: String?
    /// Where it comes from, such as `tmdb`.
    package private(set) var source: String?

    private init?(_ icon: Icon) {
        guard let address = HTTPAddress(icon.source) else { return nil }
        self.address = address
        width = Picture.number(icon.width, upTo: 99_999)
        height = Picture.number(icon.height, upTo: 99_999)
    }

    private init?(_ image: Programme.Image) {
        guard let address = HTTPAddress(image.address) else { return nil }
        self.address = address
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

    /// The pictures with a URL of ``HTTPAddress``, the largest first, each URL once with all that is known of it.
    ///
    /// They are compared by their longer side. If that is unknown, it is the smallest of the class of size; without one, it
    /// is 0. Equal pictures keep their order.
    private static func list(_ pictures: [Picture]) -> [Picture] {
        var found: [Picture] = []
        var places: [HTTPAddress: Int] = [:]
        for picture in pictures {
            if let place = places[picture.address] {
                found[place].complete(with: picture)
            } else {
                places[picture.address] = found.count
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

    private var longerSide: Int {
        guard width != nil || height != nil else { return [1: 1, 2: 400, 3: 800][size ?? 0] ?? 0 }
        return max(width ?? 0, height ?? 0)
    }

    /// The pictures of a programme: its icons and images.
    package static func pictures(of programme: Programme) -> [Picture] {
        list(programme.icons.compactMap(Picture.init) + programme.images.compactMap(Picture.init))
    }

    /// The pictures of a station: its icons.
    package static func pictures(of station: Station) -> [Picture] {
        list(station.icons.compactMap(Picture.init))
    }
}

extension Picture: JSONObject {
    /// `{"url", "width", "height", "type", "size", "orientation", "source"}`; what is unknown is left out.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("url", address.text)
        json.member("width", width)
        json.member("height", height)
        json.member("type", type)
        json.member("size", size)
        json.member("orientation", orientation)
        json.member("source", source)
    }
}
