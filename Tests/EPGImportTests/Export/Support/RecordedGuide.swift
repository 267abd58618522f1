import EPGJSON
import EPGImport
import EPGModel

/// What a guide gives out, as lines that can be compared.
struct RecordedGuide: GuideVisitor, Equatable {
    private(set) var header: [String] = []
    private(set) var stations: [String] = []
    private(set) var airings: [String] = []

    /// Everything that stands in a store.
    init(_ guide: some GuideReading) throws {
        var visitor = RecordedGuide()
        try guide.export(ExportSelection(), to: &visitor)
        self = visitor
    }

    private init() {}

    mutating func begin(header: [ContentAttribute]) throws {
        self.header = header.map { "\($0.name)=\($0.value)" }
    }

    mutating func station(_ row: StationRow, nodes: [ContentNode]) throws {
        stations.append("\(row.station.id) \(nodes.map(\.line))")
    }

    mutating func airing(_ airing: ExportedAiring) throws {
        let published = airing.published.map { "\($0.start)…\($0.stop.map(\.iso8601) ?? "")" } ?? ""
        let clump = airing.clump.map { "\($0.index)/\($0.count)" } ?? ""
        airings.append(
            """
            \(airing.station) \(airing.window.start)…\(airing.window.end) [\(published)] \(airing.isStopInferred) \
            \(clump) \(airing.transmission.map(\.line)) \(airing.nodes.canonical.map(\.line))
            """)
    }

    mutating func end() throws {}

    /// Takes the generator away, which an export adds where the feed names none.
    mutating func dropGenerator() { header.removeAll { $0.hasPrefix("generator-info-name=") } }

    /// The first lines in which another guide differs, for people.
    func difference(to other: RecordedGuide) -> String {
        func lines(_ mine: [String], _ others: [String]) -> [String] {
            let difference = others.difference(from: mine)
            return difference.prefix(6).map { change in
                switch change {
                case .insert(let place, let line, _): "+ \(place): \(line)"
                case .remove(let place, let line, _): "- \(place): \(line)"
                }
            }
        }
        return (lines(header, other.header) + lines(stations, other.stations) + lines(airings, other.airings))
            .joined(separator: "\n")
    }
}

extension ContentNode {
    /// The tree on one line.
    fileprivate var line: String {
        switch self {
        case .text(let text): text.debugDescription
        case .element(let element):
            "<\(element.name) \(element.attributes.map(\.line).joined(separator: " "))>"
                + element.children.map(\.line).joined() + "</>"
        }
    }
}

extension ContentAttribute {
    fileprivate var line: String { "\(name)=\(value.debugDescription)" }
}
