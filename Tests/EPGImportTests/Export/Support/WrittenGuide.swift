import EPGJSON
import EPGImport
import EPGModel

/// A guide that was put together by hand, for exporters to write.
struct WrittenGuide {
    var header: [ContentAttribute] = []
    var stations: [(id: String, nodes: [ContentNode])] = []
    var airings: [ExportedAiring] = []

    /// Shows a visitor everything.
    func export<Visitor: GuideVisitor>(to visitor: inout Visitor) throws {
        try visitor.begin(header: header)
        for (row, station) in stations.enumerated() {
            let id = StationID(station.id)
            try visitor.station(
                StationRow(row: row, station: Station(id: id, nodes: station.nodes)), nodes: station.nodes)
        }
        for airing in airings { try visitor.airing(airing) }
        try visitor.end()
    }

    /// The guide as XMLTV.
    func xmltv(_ options: ExportOptions = ExportOptions()) throws -> String {
        let output = Gathered()
        var exporter = XMLTVExporter(options, to: output.append)
        try export(to: &exporter)
        return output.text
    }

    /// The guide as a calendar.
    func calendar(now: Instant = Instant(secondsSince1970: 1_774_720_800)) throws -> String {
        let output = Gathered()
        var exporter = CalendarExporter(name: "TV, mine", generator: "swift-epg/1", now: now, to: output.append)
        try export(to: &exporter)
        return output.text
    }
}

/// Bytes that came piece by piece.
final class Gathered {
    private(set) var bytes: [UInt8] = []

    func append(_ piece: [UInt8]) { bytes += piece }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension ContentNode {
    /// An element that holds a text.
    static func text(_ name: String, _ text: String, _ attributes: KeyValuePairs<String, String> = [:]) -> ContentNode {
        element(name, attributes, [.text(text)])
    }

    /// An element.
    static func element(
        _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ children: [ContentNode] = []
    ) -> ContentNode {
        .element(
            ContentElement(
                name: name, attributes: attributes.map { ContentAttribute(name: $0, value: $1) }, children: children))
    }
}

extension ExportedAiring {
    /// An airing on `one.test` from 18:00 to 19:00 on 2026-10-25.
    static func evening(
        published: PublishedTimes? = nil, isStopInferred: Bool = false, clump: Clump? = nil,
        transmission: [ContentAttribute] = [], _ nodes: ContentNode...
    ) -> ExportedAiring {
        var airing = ExportedAiring(
            station: StationID("one.test"), window: TimeWindow(start: .six, end: .seven),
            programme: StoredProgramme(nodes), source: "feed")
        airing.published = published
        airing.isStopInferred = isStopInferred
        airing.clump = clump
        airing.transmission = transmission
        return airing
    }

    /// The content of the programme; none where it cannot be read.
    var nodes: [ContentNode] {
        get { (try? programme.nodes()) ?? [] }
        set { programme = StoredProgramme(newValue) }
    }
}

extension Instant {
    /// 2026-10-25T18:00:00Z (`date -u -d 2026-10-25T18:00 +%s`).
    static let six = Instant(secondsSince1970: 1_792_951_200)
    static let seven = six.advanced(by: 3600)
}
