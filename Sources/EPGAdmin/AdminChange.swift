import EPGHTTP
import EPGImport
import EPGModel
import EPGRender
import EPGServer
import Hummingbird

/// A change of an administrator that the session can undo.
enum AdminChange: Sendable {
    case mappings(MappingChange)
    case lineup(LineupChange)
    case order(OrderChange)

    /// The text of the button that undoes the change.
    var label: String {
        switch self {
        case .mappings(let change): change.label
        case .lineup(let change): "Undo: the change of “\(change.after.name)”"
        case .order: "Undo: the order of the sources"
        }
    }

    /// Returns whether anything of the change can be undone: somebody else may have changed the same since.
    func isValid(in guide: any GuideReading) throws -> Bool {
        switch self {
        case .mappings(let change): try !change.unchangedKeys(in: guide).isEmpty
        case .lineup(let change): try guide.lineup(named: change.after.name)?.lineup == change.after
        case .order(let change): try OrderChange.priorities(in: guide) == change.after
        }
    }

    /// Undoes the change, and returns a message.
    fileprivate func undo(in guide: any GuideWriting, now: Instant) throws -> String {
        switch self {
        case .mappings(let change): return try change.undo(in: guide, now: now)
        case .lineup(let change):
            _ = try guide.saveLineup(change.before, matcher: StationMatcher(), now: now)
            return "Undone: “\(change.before.name)” is as before."
        case .order(let change):
            for var source in try guide.sourceRecords().map(\.source) {
                guard let priority = change.before[source.name], priority != source.priority else { continue }
                source.priority = priority
                try guide.save(source, now: now)
            }
            return "Undone: the sources have their former order."
        }
    }
}

/// A change of mappings.
struct MappingChange: Sendable {
    /// A station that the user chose, and the seconds by which the channel is later.
    struct Mapping: Hashable, Sendable {
        var station: StationID
        var shift: Int?
    }

    /// The text of the button that undoes the change.
    var label: String
    /// The mappings by the key of the channel; without those that did not exist.
    var before: [String: Mapping]
    var after: [String: Mapping]

    /// The keys of the changed channels.
    var keys: Set<String> { Set(before.keys).union(after.keys).filter { before[$0] != after[$0] } }

    static func mappings(of keys: some Sequence<String>, in guide: any GuideReading) throws -> [String: Mapping] {
        let (stations, shifts) = (try guide.mappings(), try guide.mappingShifts())
        var mappings: [String: Mapping] = [:]
        for key in keys { mappings[key] = stations[key].map { Mapping(station: $0, shift: shifts[key]) } }
        return mappings
    }

    /// Returns the keys whose mappings have not changed since.
    func unchangedKeys(in guide: any GuideReading) throws -> [String] {
        let current = try Self.mappings(of: keys, in: guide)
        return keys.filter { current[$0] == after[$0] }.sorted()
    }

    /// Takes the change back, except for mappings that somebody has changed since.
    fileprivate func undo(in guide: any GuideWriting, now: Instant) throws -> String {
        let unchanged = try unchangedKeys(in: guide)
        let stations = unchanged.map { ($0, before[$0]?.station) }
        try guide.setMappings(Dictionary(uniqueKeysWithValues: stations), matcher: StationMatcher(), now: now)
        // A mapping that was removed has lost its shift.
        let current = try Self.mappings(of: unchanged, in: guide)
        for key in unchanged {
            guard let mapping = before[key], mapping != current[key] else { continue }
            try guide.setShift(ofMapping: key, to: mapping.shift, matcher: StationMatcher(), now: now)
        }
        let restored = "Undone: \(Wording.count(unchanged.count, "mapping")) restored."
        switch keys.count - unchanged.count {
        case 0: return restored
        case 1: return "\(restored) 1 mapping was changed since, and stays."
        case let kept: return "\(restored) \(kept) mappings were changed since, and stay."
        }
    }
}

/// A change of the order, numbers or groups of channels, or of which are hidden.
struct LineupChange: Sendable {
    var before: Lineup
    /// The lineup as it is stored after the change.
    var after: Lineup
}

/// A change of the priorities of sources.
struct OrderChange: Sendable {
    /// The priorities by the name of the source.
    var before: [String: Int]
    var after: [String: Int]

    static func priorities(in guide: any GuideReading) throws -> [String: Int] {
        Dictionary(try guide.sourceRecords().map { ($0.source.name, $0.source.priority) }) { first, _ in first }
    }
}

/// The last changes of a session, the oldest first.
struct AdminChanges: Sendable {
    private(set) var entries: [(number: Int, change: AdminChange)] = []
    private var count = 0

    /// The number of changes that a session keeps, and how many of them keep complete lineups.
    private static let capacity = (all: 20, lineups: 2)

    /// Adds a change, and returns its number.
    mutating func append(_ change: AdminChange) -> Int {
        count += 1
        entries.append((count, change))
        let lineups = entries.indices.filter { if case .lineup = entries[$0].change { true } else { false } }
        if lineups.count > Self.capacity.lineups { entries.remove(at: lineups[0]) }
        entries.removeFirst(max(0, entries.count - Self.capacity.all))
        return count
    }

    /// Removes a change.
    mutating func remove(_ number: Int) { entries.removeAll { $0.number == number } }

    /// Returns the last change that can be undone, at least in part.
    func lastValid(
        in guide: any GuideReading, where isWanted: (AdminChange) -> Bool = { _ in true }
    ) throws -> (number: Int, change: AdminChange)? {
        try entries.last { try isWanted($0.change) && $0.change.isValid(in: guide) }
    }
}

extension Session {
    /// The last changes, for undoing them.
    var changes: AdminChanges {
        get { memory as? AdminChanges ?? AdminChanges() }
        set { memory = newValue }
    }
}

extension AdminChange {
    /// The pages to which undoing may return.
    private static let pages = ["/admin", "/admin/matching", "/admin/lineup"]

    /// The page to return to.
    private static func back(_ form: Form) -> String {
        guard let text = form["back"], text.utf8.count <= 2000,
            pages.contains(where: { text == $0 || text.hasPrefix($0 + "?") || text.hasPrefix($0 + "#") }),
            let link = PageLink(text)
        else { return "/admin" }
        return link.text
    }

    /// Undoes the change whose number the form has, or else the last one.
    static func undo(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let back = back(admin.form)
        let changes = admin.session?.changes ?? AdminChanges()
        let wanted = admin.form["change"].map { Int($0) }
        let now = controller.service.now()
        let undone = try await controller.write(admin) { guide -> (number: Int, label: String, notice: String)? in
            var found = try changes.lastValid(in: guide)
            if let wanted {
                found = try changes.entries.first { try $0.number == wanted && $0.change.isValid(in: guide) }
            }
            guard let found else { return nil }
            let notice = try found.change.undo(in: guide, now: now)
            try admin.operations.updateDerivedListings(in: guide)
            try guide.refreshSearchIndex()
            return (found.number, found.change.label, notice)
        }
        guard let undone else {
            return controller.redirect(to: back, admin, notice: "There is nothing to undo.", isError: true)
        }
        admin.subject.set(undone.label)
        if let id = admin.sessionID {
            controller.access.sessions.update(id) { $0.changes.remove(undone.number) }
        }
        return controller.redirect(to: back, admin, notice: undone.notice)
    }
}

extension HTMLWriter {
    /// Writes the button that undoes a change.
    ///
    /// - Parameter back: The page to return to.
    mutating func undoButton(
        _ change: (number: Int, change: AdminChange), back: String, _ formToken: String
    ) {
        form("/admin/undo", formToken, class: "a-undo") { html in
            html.hidden("back", back)
            html.hidden("change", String(change.number))
            html.button(change.change.label, [.text("data-key", "u")])
        }
    }
}
