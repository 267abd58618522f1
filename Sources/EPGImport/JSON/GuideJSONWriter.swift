import EPGJSON
package import EPGModel

/// A writer of guides as EPG JSON, one record per line (Documentation/epg-json.md).
///
/// ```swift
/// var bytes: [UInt8] = []
/// GuideJSONWriter.append(header: [], announcesEnd: true, to: &bytes)
/// GuideJSONWriter.append(station: StationID("one.example"), nodes: nodes, to: &bytes)
/// GuideJSONWriter.append(airing, to: &bytes)
/// GuideJSONWriter.append(endAfterStations: 1, airings: 1, to: &bytes)
/// ```
///
/// ``GuideJSONReader`` reads back what was written, with nodes in canonical order.
package enum GuideJSONWriter {
    /// Appends the header line of a guide: the attributes of `<tv>`. It comes first.
    ///
    /// - Parameter announcesEnd: Whether the line announces a closing line. If that line is missing, readers treat the
    ///   guide as truncated. The default is `false`.
    package static func append(
        header attributes: [ContentAttribute], announcesEnd: Bool = false, to bytes: inout [UInt8]
    ) {
        bytes.append(contentsOf: "{\"type\":\"guide\",\"version\":1".utf8)
        if announcesEnd { bytes.append(contentsOf: ",\"end\":true".utf8) }
        ElementJSON.append(attributes, to: &bytes)
        bytes.append(contentsOf: "}\n".utf8)
    }

    /// Appends the line of a station.
    ///
    /// - Parameter nodes: The content of `<channel>`, with its other attributes as elements `@name`.
    package static func append(station id: StationID, nodes: [ContentNode], to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "{\"type\":\"station\",\"id\":".utf8)
        JSONText.append(quoted: id.rawValue, to: &bytes)
        ElementJSON.append(nodes.canonical, to: &bytes, isRecord: true)
        bytes.append(contentsOf: "}\n".utf8)
    }

    /// Appends the line of an airing.
    package static func append(_ airing: AiringRecord, to bytes: inout [UInt8]) {
        append(airing, to: &bytes) { ElementJSON.append(object: airing.nodes.canonical, to: &$0) }
    }

    /// Appends the line of an airing.
    ///
    /// - Parameter programme: A closure that appends the programme object.
    static func append<Failure>(
        _ airing: AiringRecord, to bytes: inout [UInt8], programme: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        bytes.append(contentsOf: "{\"type\":\"airing\",\"station\":".utf8)
        JSONText.append(quoted: airing.station.rawValue, to: &bytes)
        bytes.append(contentsOf: ",\"start\":".utf8)
        JSONText.append(quoted: airing.start.iso8601, to: &bytes)
        if let stop = airing.stop {
            bytes.append(contentsOf: ",\"stop\":".utf8)
            JSONText.append(quoted: stop.iso8601, to: &bytes)
        }
        if let clump = airing.clump {
            bytes.append(contentsOf: ",\"clump\":\"\(clump.index)/\(clump.count)\"".utf8)
        }
        if !airing.transmission.isEmpty {
            bytes.append(contentsOf: ",\"transmission\":".utf8)
            ElementJSON.append(object: airing.transmission, to: &bytes)
        }
        bytes.append(contentsOf: ",\"programme\":".utf8)
        try programme(&bytes)
        bytes.append(contentsOf: "}\n".utf8)
    }

    /// Appends the closing line of a guide. It comes last.
    ///
    /// - Parameters:
    ///   - stations: The number of station lines since the header.
    ///   - airings: The number of airing lines since the header.
    package static func append(endAfterStations stations: Int, airings: Int, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "{\"type\":\"end\",\"stations\":\(stations),\"airings\":\(airings)}\n".utf8)
    }
}

extension AiringRecord.Time {
    /// The time in ISO 8601 in UTC, or the text as given in the guide.
    fileprivate var iso8601: String {
        switch self {
        case .text(let text): text
        case .instant(let instant): instant.iso8601
        }
    }
}
