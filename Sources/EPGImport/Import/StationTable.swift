import EPGJSON
import EPGModel

/// The stations of a file in the order in which they were met, with the listings of each.
struct StationTable {
    /// A station, as far as the file has told.
    private struct Entry {
        let id: StationID
        /// What was said of it, in the order of the file.
        var described: [ContentNode] = []
        var isDeclared = false
        /// A programme names it, one that was taken or not.
        var isNamed = false
        /// Outside the stations that were asked for.
        var isFiltered = false
        /// Where a programme named it first.
        var firstLine = 0
        /// Programmes that name it.
        var programmes = 0
        var listings: [Listing] = []
        /// What the listings gave when they were offered to the store; `nil` where they weren't, or where more came after.
        var offered: Result?
        var wasOffered = false
    }

    /// What became of the listings of a station, without the airings themselves.
    struct Result {
        let airings: Int
        let repairs: [Repair]
        /// The programmes of airings that turned out to lie outside the days that were asked for.
        let outside: [Int64]
    }

    /// The longest identifier of a station, in bytes. Each diagnostic and two indexes of the database repeat it.
    static let identifierLimit = 1024

    private var entries: [Entry] = []
    private var indexes: [ContentHash: Int] = [:]
    private let hasher: ContentHasher
    private let patterns: [StationPattern]
    private var lastHash = ContentHash(high: 0, low: 0)
    private var lastIndex = -1
    private let programmesPerStation: Int
    /// Bytes that the table takes, about, with what the store keeps of offered listings.
    private(set) var heldBytes = 0
    /// Set when a station has more programmes than it may.
    private(set) var exceeded: ExceededImportLimit?

    init(key: ContentHash, patterns: [StationPattern], programmesPerStation: Int = .max) {
        self.programmesPerStation = programmesPerStation
        hasher = ContentHasher(key: key)
        self.patterns = patterns
    }

    /// The place of the station of that identifier, which is made where it isn't known.
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

    /// The places of the stations.
    var indices: Range<Int> { entries.indices }

    /// What all descriptions of a station say, each thing once, in the stored order.
    ///
    /// An only name that repeats the identifier says nothing: a station without a name is called by its identifier, and
    /// what is written out has to have a name.
    func nodes(at index: Int) -> [ContentNode] {
        var nodes = entries[index].described.canonical.withoutRepetitions
        if let name = nodes.firstIndex(where: \.isStationName), !nodes[(name + 1)...].contains(where: \.isStationName),
            case .element(let element) = nodes[name], element.attributes.isEmpty,
            element.children == [.text(TextNormaliser.normalised(entries[index].id.rawValue))]
        {
            nodes.remove(at: name)
        }
        return nodes
    }

    func id(of index: Int) -> StationID { entries[index].id }

    func isDeclared(_ index: Int) -> Bool { entries[index].isDeclared }

    func isNamed(_ index: Int) -> Bool { entries[index].isNamed }

    /// Notes that a programme names a station.
    mutating func setNamed(_ index: Int) {
        entries[index].isNamed = true
        entries[index].programmes += 1
        if entries[index].programmes > programmesPerStation, !entries[index].isFiltered {
            exceeded = ExceededImportLimit(.programmesPerStation(entries[index].id), value: programmesPerStation)
        }
    }

    func hasListings(_ index: Int) -> Bool { !entries[index].listings.isEmpty }

    /// Where the file named a station first.
    func firstLine(of index: Int) -> Int { entries[index].firstLine }

    /// The listings of a station that may be offered: enough of them, in a run that is its first.
    func listingsToOffer(of index: Int) -> [Listing]? {
        // Short runs are a sign of a file that is sorted by time.
        guard entries[index].listings.count >= 8, !entries[index].wasOffered else { return nil }
        return entries[index].listings
    }

    /// Whether a station is outside of those that were asked for.
    func isFiltered(_ index: Int) -> Bool { entries[index].isFiltered }

    mutating func append(_ listing: Listing, to index: Int) {
        let capacity = entries[index].listings.capacity
        entries[index].listings.append(listing)
        entries[index].offered = nil
        heldBytes += (entries[index].listings.capacity - capacity) * MemoryLayout<Listing>.stride
    }

    mutating func setOffered(_ offered: Result, at index: Int) {
        entries[index].offered = offered
        entries[index].wasOffered = true
        // Mostly these are all: what was reserved for more is given back.
        let spare = entries[index].listings.capacity - entries[index].listings.count
        entries[index].listings = entries[index].listings.map { $0 }
        heldBytes +=
            offered.airings * MemoryLayout<ScheduledListing>.stride + offered.repairs.count
            * MemoryLayout<Repair>.stride
            - spare * MemoryLayout<Listing>.stride
    }

    /// Takes the description of a station; of one that is declared twice, what the first doesn't say is added.
    ///
    /// - Returns: Whether it was declared before, and whether something was passed over because too much is said of it.
    mutating func declare(_ nodes: [ContentNode], at index: Int) -> (isRepeated: Bool, isCut: Bool) {
        let isRepeated = entries[index].isDeclared
        entries[index].isDeclared = true
        // Put together when the station is asked for: a hostile file may declare one a million times.
        let room = max(0, Self.nodeLimit - entries[index].described.count)
        entries[index].described += nodes.prefix(room)
        heldBytes += nodes.prefix(room).reduce(0) { $0 + $1.heldBytes }
        return (isRepeated, nodes.count > room)
    }

    /// An entry, its place among the others, and what the store keeps of a station.
    private static let bytesPerStation = 2 * MemoryLayout<Entry>.stride + 256

    /// What is said of a station in all; what comes after that is passed over, and reported.
    private static let nodeLimit = 10_000

    /// Takes the listings of a station out of the table, which frees their memory.
    mutating func takeListings(of index: Int) -> [Listing] {
        var listings: [Listing] = []
        swap(&listings, &entries[index].listings)
        return listings
    }

    /// Takes what the offered listings of a station gave; `nil` where they weren't, or where more came after.
    mutating func takeOffered(of index: Int) -> Result? {
        entries[index].offered.take()
    }
}

extension [ContentNode] {
    /// Each node once, where it stands first.
    fileprivate var withoutRepetitions: [ContentNode] {
        // Few are compared with each other sooner than they are hashed.
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
