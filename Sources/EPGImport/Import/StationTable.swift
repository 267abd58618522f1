import EPGJSON
import EPGModel

/// The stations of a file in order of their first occurrence, with the listings of each.
struct StationTable {
    /// A station, as described so far.
    private struct Entry {
        let id: StationID
        /// All descriptions, in file order.
        var described: [ContentNode] = []
        var isDeclared = false
        /// Whether a programme names it, imported or not.
        var isNamed = false
        /// Whether it is not among the requested stations.
        var isFiltered = false
        /// The line of its first occurrence.
        var firstLine = 0
        /// The number of programmes that name it.
        var programmes = 0
        var listings: [Listing] = []
    }

    /// The result of normalizing a station's listings, without the airings themselves.
    struct Result {
        /// The number of listings of which any part is in the schedule.
        let airings: Int
        /// The number of listings outside the requested days.
        let filtered: Int
        /// The number of listings whose times carry nothing (Rules.md, rule 20).
        let withoutTimes: Int
        let repairs: [Repair]
        /// The programmes of airings outside the requested days.
        let outside: [Int64]
    }

    /// The maximum length of a station identifier in bytes. Each diagnostic and two database indexes repeat it.
    static let identifierLimit = 1024

    private var entries: [Entry] = []
    private var indexes: [ContentHash: Int] = [:]
    private let hasher: ContentHasher
    private let patterns: [WildcardPattern]
    private var lastHash = ContentHash(high: 0, low: 0)
    private var lastIndex = -1
    private let programmesPerStation: Int
    /// The approximate memory of the table in bytes.
    private(set) var heldBytes = 0
    /// The limit exceeded, if a station has too many programmes.
    private(set) var exceeded: ExceededImportLimit?

    init(key: ContentHash, patterns: [WildcardPattern], programmesPerStation: Int = .max) {
        self.programmesPerStation = programmesPerStation
        hasher = ContentHasher(key: key)
        self.patterns = patterns
    }

    /// Returns the index of the station with an identifier. Adds it if it is new.
    mutating func index(of identifier: [UInt8], line: Int) -> Int {
        let hash = hasher.hash(identifier.span)
        // Most files list one station after the other.
        if hash == lastHash, lastIndex >= 0 { return lastIndex }
        lastHash = hash
        if let index = indexes[hash] {
            lastIndex = index
            return index
        }
        let name = String(decoding: identifier, as: UTF8.self)
        var entry = Entry(id: StationID(name))
        entry.isFiltered = !patterns.isEmpty && !patterns.contains { $0.matches(name) }
        entry.firstLine = line
        lastIndex = entries.count
        indexes[hash] = lastIndex
        entries.append(entry)
        heldBytes += Self.bytesPerStation + identifier.count
        return lastIndex
    }

    /// The indices of the stations.
    var indices: Range<Int> { entries.indices }

    /// Returns the nodes of all descriptions of a station, without duplicates, in storage order.
    ///
    /// Omits a single name that equals the identifier: clients show a station without a name by its identifier, and
    /// exports add a name.
    func nodes(at index: Int) -> [ContentNode] {
        var nodes = entries[index].described.canonical.withoutRepetitions
        if let name = nodes.firstIndex(where: \.isStationName), !nodes[(name + 1)...].contains(where: \.isStationName),
            case .element(let element) = nodes[name], element.attributes.isEmpty,
            element.children == [.text(TextNormalizer.normalized(entries[index].id.rawValue))]
        {
            nodes.remove(at: name)
        }
        return nodes
    }

    func id(of index: Int) -> StationID { entries[index].id }

    /// Returns the identifier and the first names of a station.
    func names(of index: Int) -> [String] {
        let names = entries[index].described.lazy.filter(\.isStationName).prefix(8).compactMap { node in
            if case .element(let element) = node { TextNormalizer.normalized(element.text) } else { nil }
        }
        return [entries[index].id.rawValue] + names.filter { !$0.isEmpty }
    }

    func isDeclared(_ index: Int) -> Bool { entries[index].isDeclared }

    func isNamed(_ index: Int) -> Bool { entries[index].isNamed }

    /// Marks a station as named by a programme, and counts the programme.
    mutating func setNamed(_ index: Int) {
        entries[index].isNamed = true
        entries[index].programmes += 1
        if entries[index].programmes > programmesPerStation, !entries[index].isFiltered {
            exceeded = ExceededImportLimit(.programmesPerStation(entries[index].id), value: programmesPerStation)
        }
    }

    func hasListings(_ index: Int) -> Bool { !entries[index].listings.isEmpty }

    /// Returns the line of a station's first occurrence.
    func firstLine(of index: Int) -> Int { entries[index].firstLine }

    /// Returns whether a station is not among the requested ones.
    func isFiltered(_ index: Int) -> Bool { entries[index].isFiltered }

    mutating func append(_ listing: Listing, to index: Int) {
        let capacity = entries[index].listings.capacity
        entries[index].listings.append(listing)
        heldBytes += (entries[index].listings.capacity - capacity) * MemoryLayout<Listing>.stride
    }

    /// Adds a description of a station. Repeated declarations are merged.
    ///
    /// - Returns: Whether the station was declared before, and whether nodes were dropped because the station has too
    ///   many.
    mutating func declare(_ nodes: [ContentNode], at index: Int) -> (isRepeated: Bool, isCut: Bool) {
        let isRepeated = entries[index].isDeclared
        entries[index].isDeclared = true
        // Merged on access, because a hostile file may declare a station a million times.
        let room = max(0, Self.nodeLimit - entries[index].described.count)
        entries[index].described += nodes.prefix(room)
        heldBytes += nodes.prefix(room).reduce(0) { $0 + $1.heldBytes }
        return (isRepeated, nodes.count > room)
    }

    /// The memory for an entry, its index, and what the store keeps of a station.
    private static let bytesPerStation = 2 * MemoryLayout<Entry>.stride + 256

    /// The maximum number of nodes of a station. Further nodes are dropped and reported.
    private static let nodeLimit = 10_000

    /// Removes the listings of a station from the table, which frees their memory.
    mutating func takeListings(of index: Int) -> [Listing] {
        var listings: [Listing] = []
        swap(&listings, &entries[index].listings)
        return listings
    }
}

extension [ContentNode] {
    /// The nodes without duplicates, in order of first occurrence.
    fileprivate var withoutRepetitions: [ContentNode] {
        // Comparing a few nodes is faster than hashing them.
        guard count > 8 else { return indices.filter { !self[..<$0].contains(self[$0]) }.map { self[$0] } }
        var seen: Set<ContentNode> = []
        return filter { seen.insert($0).inserted }
    }
}

extension ContentNode {
    fileprivate var isStationName: Bool {
        if case .element(let element) = self { element.name == "display-name" } else { false }
    }
}

extension [Listing] {
    /// The number of programmes without a length whose start more than a dozen of them share, so that it carries nothing
    /// (Rules.md, rule 20).
    var countWithoutTimes: Int {
        let starts = lazy.filter { $0.stop ?? $0.start <= $0.start }.map(\.start)
        let counts = starts.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return counts.values.lazy.filter { $0 > 12 }.reduce(0, +)
    }
}

extension NormalizedListings {
    /// The number of listings of which any part is in the schedule.
    var countOfListings: Int {
        struct Key: Hashable {
            let times: PublishedTimes
            let clump: Clump?
            let programme: Int64
        }
        var changed: Set<Key> = []
        return airings.count { airing in
            guard let times = airing.published else { return true }
            return changed.insert(Key(times: times, clump: airing.clump, programme: airing.programme)).inserted
        }
    }

    /// Removes and returns the airings outside a window.
    mutating func removeAirings(outside window: TimeWindow) -> [ScheduledListing] {
        let outside = airings.filter { !$0.window.overlaps(window) }
        guard !outside.isEmpty else { return [] }
        airings.removeAll { !$0.window.overlaps(window) }
        // Drop the repairs of these airings. Dropped and merged listings remain accounted for.
        repairs.removeAll { repair in repair.window.map { !$0.overlaps(window) } ?? false }
        guard let known = coverage, let first = airings.first, let last = airings.last else {
            coverage = nil
            return outside
        }
        let start = max(known.start, first.window.start)
        let end = min(known.end, last.window.end)
        coverage = TimeWindow(start: start, end: max(start.advanced(by: 1), end))
        return outside
    }
}
