/// The order of an element's attributes or children in `xmltv.dtd`.
package struct DTDOrder: Sendable {
    package let names: [String]
    private let places: [String: Int]

    private init(_ names: [String]) {
        self.names = names
        places = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    }

    /// Sorts by the order of the DTD. The sort is stable, and unknown names come last.
    ///
    /// - Complexity: O(*n* log *n*).
    package func sorted(_ elements: [XMLTVElement]) -> [XMLTVElement] { sorted(elements, by: \.name) }

    /// Sorts by the order of the DTD. The sort is stable, and unknown names come last.
    ///
    /// - Complexity: O(*n* log *n*).
    package func sorted(_ attributes: [XMLTVElement.Attribute]) -> [XMLTVElement.Attribute] {
        sorted(attributes, by: \.name)
    }

    private func sorted<Named>(_ all: [Named], by name: (Named) -> String) -> [Named] {
        let keys = all.map { places[name($0)] ?? places.count }
        // Most guides are in order.
        if zip(keys, keys.dropFirst()).allSatisfy(<=) { return all }
        return all.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { all[$0] }
    }
}

extension DTDOrder {
    package static let header = DTDOrder([
        "date", "source-info-url", "source-info-name", "source-data-url", "generator-info-name", "generator-info-url",
    ])
    package static let channelAttributes = DTDOrder(["id"])
    package static let programmeAttributes = DTDOrder([
        "start", "stop", "pdc-start", "vps-start", "showview", "videoplus", "channel", "clumpidx",
    ])
    package static let channel = DTDOrder(["display-name", "icon", "url"])
    package static let programme = DTDOrder([
        "title", "sub-title", "desc", "credits", "date", "category", "keyword", "language", "orig-language", "length",
        "icon", "url", "country", "episode-num", "video", "audio", "previously-shown", "premiere", "last-chance",
        "new", "subtitles", "rating", "star-rating", "review", "image",
    ])
    package static let credits = DTDOrder([
        "director", "actor", "writer", "adapter", "producer", "composer", "editor", "presenter", "commentator", "guest",
    ])
    package static let video = DTDOrder(["present", "colour", "aspect", "quality"])
    package static let audio = DTDOrder(["present", "stereo"])
    package static let rating = DTDOrder(["value", "icon"])
    package static let person = DTDOrder(["image", "url"])
}
