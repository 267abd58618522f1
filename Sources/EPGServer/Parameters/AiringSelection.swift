import EPGCalendar
import EPGModel
import EPGRender

/// Which airings a list has, and what of each: the parameters `lang`, `fields`, `maxAge` and `unrated`.
struct AiringSelection: Sendable {
    /// In order of preference; empty for the first language of the feed.
    let languages: [String]
    fileprivate let members: AiringMembers
    /// Airings for older viewers are left out; `nil` for none.
    private let maximumAge: Int?
    /// Whether airings without a known age stay if there is a maximum.
    private let includesUnrated: Bool

    init(_ parameters: inout ParameterReader) throws(Problem) {
        languages = try parameters.languages()
        members = try parameters.members()
        maximumAge = try parameters.value("maxAge", expected: "an age from 0 to 21") { text in
            Int(text).flatMap { (0...21).contains($0) ? $0 : nil }
        }
        includesUnrated = try parameters.integer("unrated", default: 1, in: 0...1) == 1
    }

    /// Whether the members depend on the current time.
    var dependsOnTime: Bool { !members.isDisjoint(with: .ofChannels) }

    /// Whether each airing costs a seek of its own.
    var readsProgrammes: Bool {
        !languages.isEmpty || maximumAge != nil || !members.isDisjoint(with: .ofProgramme)
    }

    /// - Throws: ``Problem`` if the members depend on the current time, which has no part in the version of a day.
    func requireVersionedMembers() throws(Problem) {
        guard dependsOnTime else { return }
        throw .badParameter(
            "fields", "links and catchup depend on the time. Request them from /api/v1/stations/{id}/schedule.")
    }

    fileprivate func includes(_ programme: Programme?) -> Bool {
        guard let maximumAge else { return true }
        return programme?.minimumAge.map { $0 <= maximumAge } ?? includesUnrated
    }
}

extension ParameterReader {
    /// The parameter `fields`: the names of members, separated by commas (default: ``MemberSelection/standard``).
    mutating func members<Members: MemberSelection>() throws(Problem) -> Members {
        try value("fields", maximumLength: 400, expected: "a list of some of \(Members.allNames)") {
            Members(names: $0)
        } ?? .standard
    }
}

/// Reads what an ``AiringSelection`` selects of airings.
struct AiringReader {
    private let selection: AiringSelection
    private let view: GuideView
    private let time: (now: Instant, zone: Zone)?

    /// - Parameter time: The current time, and the zone of local times in catch-up URLs. Only a selection that does not
    ///   depend on the time needs none.
    init(_ selection: AiringSelection, of guide: GuideView, at time: (now: Instant, zone: Zone)? = nil) {
        self.selection = selection
        view = guide
        self.time = selection.dependsOnTime ? time : nil
    }

    private var guide: any GuideReading { view.guide }

    /// An airing with its selected members; `nil` if its age leaves it out.
    ///
    /// - Complexity: One seek if ``AiringSelection/readsProgrammes``, and one for each channel of its station if the selection
    ///   depends on the time.
    func airing(_ airing: Airing) throws -> SelectedAiring? {
        let detail = selection.readsProgrammes ? try guide.airing(airing.id) : nil
        guard selection.includes(detail?.programme) else { return nil }
        let localized = detail.map { airing.localized(by: $0.programme, in: selection.languages) }
        return SelectedAiring(
            localized ?? airing, members: selection.members,
            genre: selection.members.contains(.genre) ? Genre(categories: airing.categories) : nil, detail: detail,
            links: try time.map { try view.linkContext(for: airing.station, at: $0) })
    }

    /// Airings with their selected members, without those that their age leaves out.
    func airings(_ airings: [Airing]) throws -> [SelectedAiring] { try airings.compactMap { try airing($0) } }

    /// A match or a showing with its selected members; `nil` if its age leaves it out.
    func match(_ match: SearchMatch) throws -> SelectedMatch? {
        var match = match
        match.stationName = try name(ofStation: match.airing.station) ?? match.stationName
        return try airing(match.airing).map { SelectedMatch(match, $0) }
    }

    /// The name of a station in the requested languages; `nil` without languages, and for a missing station.
    func name(ofStation id: StationID) throws -> String? {
        guard !selection.languages.isEmpty else { return nil }
        return try guide.station(id)?.station.localized(in: selection.languages).name
    }
}

extension GuideView {
    /// What the links of a station's airings depend on.
    ///
    /// - Throws: An error of the store.
    /// - Complexity: One seek for each channel that shows the station.
    func linkContext(for station: StationID, at time: (now: Instant, zone: Zone)) throws -> LinkContext {
        LinkContext(
            now: time.now, zone: time.zone, serviceURL: site.publicAddress,
            channels: StationChannels(try guide.lineups(showing: station)))
    }
}
