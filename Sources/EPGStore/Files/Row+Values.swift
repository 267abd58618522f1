import EPGJSON
import EPGModel
import Foundation
import GRDB

/// How columns of ordinary rows become values, by name. Hot paths use ``InsertStatement`` and ``Columns`` instead.
extension Row {
    /// Seconds since 1970 as an instant; `nil` for NULL.
    func instant(_ column: String) -> Instant? { (self[column] as Int64?).map(Instant.init(secondsSince1970:)) }

    /// The bytes of a blob or a text; none for NULL.
    func bytes(_ column: String) -> [UInt8] { Array(self[column] as Data? ?? Data()) }

    /// A window of two columns, of no length if its end is not after its start; `nil` for NULL.
    func window(_ start: String, _ end: String) -> TimeWindow? {
        instant(start).map { TimeWindow(start: $0, end: Swift.max($0, instant(end) ?? $0)) }
    }

    /// A channel number; `nil` for NULL, and for a text that is none.
    func channelNumber(_ column: String) -> ChannelNumber? { (self[column] as String?).flatMap { ChannelNumber($0) } }

    /// The attributes of a JSON object; none for NULL.
    func attributes(_ column: String) throws -> [ContentAttribute] {
        try (self[column] as Data?).map { try StoredDocument.attributes(Array($0)) } ?? []
    }

    /// The nodes of a document that no column completes.
    func nodes(_ column: String) throws -> [ContentNode] { try StoredDocument.nodes(bytes(column)) }

    /// The texts of a JSON array.
    func texts(_ column: String) throws -> [String] { try StoredDocument.texts(bytes(column)) }
}

extension String {
    /// A stored document as SQLite takes it.
    init(json: [UInt8]) { self.init(decoding: json, as: UTF8.self) }
}

extension ContentHash {
    /// The hash as SQLite takes it.
    var data: Data { Data(blob) }
}
