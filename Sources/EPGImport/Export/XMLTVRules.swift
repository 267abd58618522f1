import EPGModel

/// What `xmltv.dtd` allows, and the part of a record that is valid by it.
enum XMLTVRules {
    /// The attributes of `<tv>`.
    static let guideAttributes: Set<String> = [
        "date", "source-info-url", "source-info-name", "source-data-url", "generator-info-name", "generator-info-url",
    ]

    /// The part of a `<channel>` that is valid; a name may be missing in it.
    static func conforming(station: ContentElement) -> ContentElement {
        stationRule.conforming(station) ?? station
    }

    /// The part of a `<programme>` that is valid; a title may be missing in it.
    ///
    /// An empty description says nothing and goes too: validators mark it (facts, `emptydescription`).
    static func conforming(programme: ContentElement) -> ContentElement {
        var element = programmeRule.conforming(programme) ?? programme
        element.children.removeAll { $0.isElement(called: "desc") && $0.isWithoutChildren }
        return element
    }

    // MARK: - The DTD

    private static let localised = Rule(.text, "lang")
    private static let url = Rule(.text, "system")
    private static let icon = Rule(
        .empty, [.init(name: "src", isRequired: true), .init(name: "width"), .init(name: "height")])
    private static let image = Rule(
        .text,
        [
            .init(name: "type", values: ["poster", "backdrop", "still", "person", "character"]),
            .init(name: "size", values: ["1", "2", "3"]), .init(name: "orient", values: ["P", "L"]),
            .init(name: "system"),
        ])
    private static let rating = Rule(sequence(("value", .required, Rule(.text)), ("icon", .any, icon)), "system")

    static let stationRule = Rule(
        sequence(("display-name", .any, localised), ("icon", .any, icon), ("url", .any, url)), "id")

    static let programmeRule = Rule(
        sequence(
            ("title", .any, localised), ("sub-title", .any, localised), ("desc", .any, localised),
            ("credits", .optional, credits), ("date", .optional, Rule(.text)), ("category", .any, localised),
            ("keyword", .any, localised), ("language", .optional, localised),
            ("orig-language", .optional, localised),
            (
                "length", .optional,
                Rule(.text, [.init(name: "units", isRequired: true, values: ["seconds", "minutes", "hours"])])
            ),
            ("icon", .any, icon), ("url", .any, url), ("country", .any, localised),
            ("episode-num", .any, Rule(.text, "system")),
            ("video", .optional, Rule(texts("present", "colour", "aspect", "quality"))),
            ("audio", .optional, Rule(texts("present", "stereo"))),
            ("previously-shown", .optional, Rule(.empty, "start", "channel")), ("premiere", .optional, localised),
            ("last-chance", .optional, localised), ("new", .optional, Rule(.empty)),
            (
                "subtitles", .any,
                Rule(
                    sequence(("language", .optional, localised)),
                    [.init(name: "type", values: ["teletext", "onscreen", "deaf-signed"])])
            ),
            ("rating", .any, rating), ("star-rating", .any, rating),
            (
                "review", .any,
                Rule(
                    .text,
                    [
                        .init(name: "type", isRequired: true, values: ["text", "url"]), .init(name: "source"),
                        .init(name: "reviewer"), .init(name: "lang"),
                    ])
            ),
            ("image", .any, image)),
        "start", "stop", "pdc-start", "vps-start", "showview", "videoplus", "channel", "clumpidx")

    private static let credits: Rule = {
        let links: [String: Rule.Child] = [
            "image": .init(place: 0, occurrence: .any, rule: image),
            "url": .init(place: 1, occurrence: .any, rule: url),
        ]
        let person = Rule(.mixed(links))
        let actor = Rule(.mixed(links), [.init(name: "role"), .init(name: "guest", values: ["no", "yes"])])
        return Rule(
            sequence(
                ("director", .any, person), ("actor", .any, actor), ("writer", .any, person),
                ("adapter", .any, person), ("producer", .any, person), ("composer", .any, person),
                ("editor", .any, person), ("presenter", .any, person), ("commentator", .any, person),
                ("guest", .any, person)))
    }()

    /// Elements in this order.
    private static func sequence(_ children: (name: String, occurrence: Rule.Occurrence, rule: Rule)...) -> Rule.Content
    {
        .children(
            Dictionary(
                uniqueKeysWithValues: children.enumerated().map { place, child in
                    (child.name, Rule.Child(place: place, occurrence: child.occurrence, rule: child.rule))
                }))
    }

    /// Elements that hold a text and stand at most once, in this order.
    private static func texts(_ names: String...) -> Rule.Content {
        .children(
            Dictionary(
                uniqueKeysWithValues: names.enumerated().map { place, name in
                    (name, Rule.Child(place: place, occurrence: .optional, rule: Rule(.text)))
                }))
    }
}

extension ContentNode {
    /// Whether it is an element without children.
    fileprivate var isWithoutChildren: Bool {
        if case .element(let element) = self { element.children.isEmpty } else { false }
    }
}
