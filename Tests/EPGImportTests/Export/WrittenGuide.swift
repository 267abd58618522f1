import EPGImport
import EPGJSON
import EPGModel
import Foundation
import TestSupport

/// A handwritten guide for exporters.
struct WrittenGuide {
    var header: [ContentAttribute] = []
    var stations: [(id: String, nodes: [ContentNode])] = []
    var airings: [ExportedAiring] = []

    /// Passes everything to a visitor.
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

    /// Returns the guide as XMLTV.
    func xmltv(_ options: ExportOptions = ExportOptions()) throws -> String {
        let output = OutputBuffer()
        var exporter = XMLTVExporter(options, to: output.append)
        try export(to: &exporter)
        return output.text
    }

    /// Returns the guide as a calendar.
    func calendar(now: Instant = Instant(secondsSince1970: 1_774_720_800)) throws -> String {
        let output = OutputBuffer()
        var exporter = CalendarExporter(name: "TV, mine", generator: "swift-epg/1", now: now, to: output.append)
        try export(to: &exporter)
        return output.text
    }
}

/// A buffer that collects output pieces.
final class OutputBuffer {
    private(set) var bytes: [UInt8] = []

    func append(_ piece: [UInt8]) { bytes += piece }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension ContentNode {
    /// Returns an element with text.
    static func text(_ name: String, _ text: String, _ attributes: KeyValuePairs<String, String> = [:]) -> ContentNode {
        element(name, attributes, [.text(text)])
    }

    /// Returns an element.
    static func element(
        _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ children: [ContentNode] = []
    ) -> ContentNode {
        .element(
            ContentElement(
                name: name, attributes: attributes.map { ContentAttribute(name: $0, value: $1) }, children: children))
    }
}

extension ExportedAiring {
    /// Returns an airing on `one.test` from 18:00 to 19:00 on 2026-10-25.
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

    /// The content of the programme; empty if it can't be read.
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

/// The exported content of a guide as comparable lines.
struct RecordedGuide: GuideVisitor, Equatable {
    private(set) var header: [String] = []
    private(set) var stations: [String] = []
    private(set) var airings: [String] = []

    /// Records the export of a complete store.
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

    /// Removes the generator name, which an export adds if the feed has none.
    mutating func dropGenerator() { header.removeAll { $0.hasPrefix("generator-info-name=") } }

    /// Returns the first lines that differ from another guide, for failure messages.
    func difference(to other: RecordedGuide) -> String {
        func lines(_ mine: [String], _ others: [String]) -> [String] {
            let difference = others.difference(from: mine)
            return difference.prefix(6).map { change in
                switch change {
                case .insert(let offset, let line, _): "+ \(offset): \(line)"
                case .remove(let offset, let line, _): "- \(offset): \(line)"
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

/// Third-party programs that validate output.
enum Validator {
    /// The DTD of the XMLTV project, next to the package.
    static let dtd = PackageFiles.sharedData.appending(path: "xmltv.dtd").path

    /// Returns the DTD errors that `xmllint` reports for a guide, or an empty string if it is valid.
    static func dtdErrors(in guide: String) throws -> String {
        let run = try run("xmllint", ["--noout", "--nonet", "--dtdvalid", dtd, "-"], input: guide)
        return run.status == 0 ? "" : "\(run.status): \(run.text.prefix(2000))"
    }

    /// Returns the errors that the XMLTV project's validator reports for a guide.
    static func projectErrors(in guide: String) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appending(path: "epg-export-\(UUID().uuidString).xml")
        try Data(guide.utf8).write(to: file)
        defer { _ = Result { try FileManager.default.removeItem(at: file) } }
        let run = try run("tv_validate_file", ["--dtd-file", dtd, file.path], input: "")
        return run.status == 0 ? [] : run.text.split(separator: "\n").map(String.init)
    }

    /// Runs a program to completion and returns both outputs.
    static func run(_ program: String, _ arguments: [String], input: String) throws -> (status: Int32, text: String) {
        let process = Process()
        let (output, standardInput) = (Pipe(), FileManager.default.temporaryDirectory)
        let file = standardInput.appending(path: "epg-input-\(UUID().uuidString)")
        try Data(input.utf8).write(to: file)
        defer { _ = Result { try FileManager.default.removeItem(at: file) } }
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }
}
