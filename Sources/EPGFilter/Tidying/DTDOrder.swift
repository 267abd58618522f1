import XMLTV

/// The order in which `xmltv.dtd` names the attributes or children of an element.
struct DTDOrder: Sendable {
    private let places: [String: Int]

    init(_ names: [String]) {
        places = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    }

    /// In the order of the DTD; those of one name keep their order, and unknown ones come last in theirs.
    ///
    /// - Complexity: O(*n* log *n*).
    func sorted(_ elements: [XMLTVElement]) -> [XMLTVElement] { sorted(elements, by: \.name) }

    func sorted(_ attributes: [XMLTVElement.Attribute]) -> [XMLTVElement.Attribute] { sorted(attributes, by: \.name) }

    private func sorted<Named>(_ all: [Named], by name: (Named) -> String) -> [Named] {
        let keys = all.map { places[name($0)] ?? places.count }
        // Most guides are in order.
        if zip(keys, keys.dropFirst()).allSatisfy(<=) { return all }
        return all.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { all[$0] }
    }
}

extension DTDOrder {
    static let header = DTDOrder([
        "date", "source-info-url", "source-info-name", "source-data-url", "generator-info-name", "generator-info-url",
    ])
    static let channelAttributes = DTDOrder(["id"])
    static let programmeAttributes = DTDOrder([
        "start", "stop", "pdc-start", "vps-start", "showview", "videoplus", "channel", "clumpidx",
    ])
    static let channel = DTDOrder(["display-name", "icon", "url"])
    static let programme = DTDOrder([
        "title", "sub-title", "desc", "credits", "date", "category", "keyword", "language", "orig-language", "length",
        "icon", "url", "country", "episode-num", "video", "audio", "previously-shown", "premiere", "last-chance",
        "new", "subtitles", "rating", "star-rating", "review", "image",
    ])
    static let credits = DTDOrder([
        "director", "actor", "writer", "adapter", "producer", "composer", "editor", "presenter", "commentator", "guest",
    ])
    static let video = DTDOrder(["present", "colour", "aspect", "quality"])
    static let audio = DTDOrder(["present", "stereo"])
    static let rating = DTDOrder(["value", "icon"])
    static let person = DTDOrder(["image", "url"])
}
