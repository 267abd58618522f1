import EPGJSON
import CollectionLayout
import EPGCalendar
import EPGModel
import EPGRender

/// What all pages but the guide itself are asked with: when, in which zone, for readers of which languages, from where text
/// runs.
struct ViewRequest: Sendable {
    let now: Instant
    let zone: Zone
    let languages: [String]
    private let direction: TextDirection
    /// What goes along to other pages: what the address itself says, and nothing that is at its default.
    private let shared: [(name: String, value: String)]

    /// Reads `at`, `zone`, `lang` and `dir`.
    ///
    /// - Parameter followsClock: `false` for a page that is the same at any time: `at` is only handed on.
    init(_ request: inout RequestReader, followsClock: Bool = true) throws(Problem) {
        direction = try request.choice("dir", default: TextDirection.ltr)
        zone = try request.zone()
        languages = try request.languages()
        var shared = request.canonical.filter { ["zone", "lang", "dir"].contains($0.name) }
        if followsClock {
            now = try request.minute()
            if !request.followsClock { shared.append(("at", String(now.secondsSince1970))) }
        } else {
            let given = try request.instant("at")
            now = given ?? request.clock
            if let given { shared.append(("at", String(given.secondsSince1970))) }
        }
        self.shared = shared
    }

    /// The frame of a page.
    ///
    /// - Parameter kind: By which the style sheet knows the page.
    func frame(_ title: String, kind: String, place: PageFrame.Place? = nil, site: Site) -> PageFrame {
        var frame = PageFrame(title: title, site: site.title, files: .common, place: place)
        frame.shared = shared
        frame.kind = kind
        frame.direction = direction.layoutDirection
        return frame
    }
}
