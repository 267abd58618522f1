import XMLTV

/// What a programme can be asked for: one of its attributes or elements.
struct GrepField: Hashable, Sendable {
    /// What kind of answer it gives.
    enum Kind: Sendable {
        /// An attribute, whose value is searched.
        case attribute
        /// Elements, whose texts are searched.
        case text
        /// Elements that are only there or not; the empty pattern is asked for all the same.
        case presence
        /// An element that is only there or not, without a pattern.
        case mark
    }

    let name: String
    let kind: Kind

    /// All fields, by the names of their options.
    static let all: [String: GrepField] = {
        let kinds: [(Kind, [String])] = [
            (
                .attribute,
                [
                    "start", "stop", "pdc-start", "vps-start", "showview", "videoplus", "channel", "clumpidx",
                ]
            ),
            (
                .text,
                [
                    "title", "sub-title", "desc", "date", "category", "keyword", "language", "orig-language", "country",
                    "premiere", "last-chance",
                ]
            ),
            (
                .presence,
                [
                    "credits", "length", "icon", "url", "episode-num", "video", "audio", "previously-shown",
                    "subtitles",
                    "rating", "star-rating", "review", "image",
                ]
            ),
            (.mark, ["new"]),
        ]
        var fields: [String: GrepField] = [:]
        for (kind, names) in kinds {
            for name in names { fields["--" + name] = GrepField(name: name, kind: kind) }
        }
        return fields
    }()

    /// Whether a programme has the field, and the pattern is found in it.
    func matches(_ programme: XMLTVElement, _ pattern: GrepPattern) -> Bool {
        switch kind {
        case .attribute: programme[attribute: name].map { pattern.isFound(in: $0) } ?? false
        case .text: programme.children(name).contains { pattern.isFound(in: $0.text) }
        case .presence, .mark: programme.child(name) != nil
        }
    }
}
