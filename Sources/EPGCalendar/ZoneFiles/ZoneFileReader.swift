/// Parses zone files: TZif versions 1 to 4 (RFC 8536; RFC 9636 for version 4).
///
///     version 1:   header, block of 32-bit times
///     later ones:  header, block of 32-bit times (skipped), header, block of 64-bit times, LF rule LF
struct ZoneFileReader {
    /// Maximum size in bytes. The largest file of the database has about 4,000.
    static let maximumSize = 256 * 1024

    private let bytes: [UInt8]
    private var index = 0

    /// Parses a file.
    ///
    /// - Complexity: O(*n*) in the size of the file, in time and memory.
    static func content(of bytes: [UInt8]) throws(ZoneFileFlaw) -> ZoneFileContent {
        guard bytes.count <= maximumSize else { throw .tooLarge }
        var reader = ZoneFileReader(bytes: bytes)
        return try reader.readFile()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func readFile() throws(ZoneFileFlaw) -> ZoneFileContent {
        let header = try readHeader()
        guard header.version > 1 else { return try readBlock(header, bytesPerTime: 4) }
        try skip(header.size(bytesPerTime: 4))
        var content = try readBlock(try readHeader(), bytesPerTime: 8)
        content.rule = try readRule()
        return content
    }
}

// MARK: - Header

extension ZoneFileReader {
    private struct Header {
        let version: Int
        let universalFlags: Int
        let standardFlags: Int
        let leapSeconds: Int
        let changes: Int
        let offsets: Int
        let characters: Int

        /// Size of the following block in bytes. Each number is below 2³², so the sum does not overflow.
        func size(bytesPerTime: Int) -> Int {
            changes * (bytesPerTime + 1) + offsets * 6 + characters + leapSeconds * (bytesPerTime + 4)
                + standardFlags + universalFlags
        }
    }

    /// Parses `TZif`, the version, 15 unused bytes, and six numbers.
    private mutating func readHeader() throws(ZoneFileFlaw) -> Header {
        guard bytes[index...].starts(with: "TZif".utf8) else { throw index == 0 ? .notAZoneFile : .badHeader }
        try skip(4)
        let version = try readByte()
        try skip(15)
        let header = Header(
            version: version == 0 ? 1 : Int(version) - Int(UInt8(ascii: "0")), universalFlags: try readCount(),
            standardFlags: try readCount(), leapSeconds: try readCount(), changes: try readCount(),
            offsets: try readCount(), characters: try readCount())
        guard header.version >= 1, (1...256).contains(header.offsets), header.characters > 0,
            [0, header.offsets].contains(header.universalFlags), [0, header.offsets].contains(header.standardFlags)
        else { throw .badHeader }
        return header
    }
}

// MARK: - Block

extension ZoneFileReader {
    private mutating func readBlock(_ header: Header, bytesPerTime: Int) throws(ZoneFileFlaw) -> ZoneFileContent {
        guard header.leapSeconds == 0 else { throw .countsLeapSeconds }
        // Check this before allocating memory for the header's numbers.
        guard header.size(bytesPerTime: bytesPerTime) <= bytes.count - index else { throw .truncated }

        var changes: [Int64] = []
        changes.reserveCapacity(header.changes)
        for _ in 0..<header.changes {
            let change = try readInteger(bytes: bytesPerTime)
            if let last = changes.last, last >= change { throw .badChange }
            changes.append(change)
        }
        var offsetIndices: [UInt16] = []
        offsetIndices.reserveCapacity(header.changes)
        for _ in 0..<header.changes {
            let offsetIndex = try readByte()
            guard offsetIndex < header.offsets else { throw .badChange }
            offsetIndices.append(UInt16(offsetIndex))
        }
        let offsets = try readOffsets(header)
        try skip(header.standardFlags + header.universalFlags)
        return ZoneFileContent(changes: changes, offsetIndices: offsetIndices, offsets: offsets, rule: nil)
    }

    /// Parses, for each offset, its seconds, its daylight saving flag, and the position of its abbreviation; then the
    /// zero-terminated abbreviations.
    private mutating func readOffsets(_ header: Header) throws(ZoneFileFlaw) -> [ZoneOffset] {
        let characters = index + header.offsets * 6
        let end = characters + header.characters
        var offsets: [ZoneOffset] = []
        for _ in 0..<header.offsets {
            let seconds = try readInteger(bytes: 4)
            let isDaylightSaving = try readByte()
            let start = characters + Int(try readByte())
            guard ZoneOffset.acceptedSeconds.contains(seconds), isDaylightSaving <= 1, start < end,
                let stop = bytes[start..<end].firstIndex(of: 0),
                let abbreviation = String(zoneAbbreviation: bytes[start..<stop])
            else { throw .badOffset }
            offsets.append(
                ZoneOffset(seconds: seconds, abbreviation: abbreviation, isDaylightSaving: isDaylightSaving == 1))
        }
        try skip(header.characters)
        return offsets
    }

    /// Parses the footer: a line feed, an optional rule, and a line feed.
    private mutating func readRule() throws(ZoneFileFlaw) -> ZoneRule? {
        guard try readByte() == UInt8(ascii: "\n") else { throw .badRule }
        guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) else { throw .truncated }
        if end == index { return nil }
        guard let rule = ZoneRule(posix: String(decoding: bytes[index..<end], as: UTF8.self)) else { throw .badRule }
        return rule
    }
}

// MARK: - Steps

extension ZoneFileReader {
    private mutating func skip(_ count: Int) throws(ZoneFileFlaw) {
        guard count <= bytes.count - index else { throw .truncated }
        index += count
    }

    private mutating func readByte() throws(ZoneFileFlaw) -> UInt8 {
        guard index < bytes.count else { throw .truncated }
        index += 1
        return bytes[index - 1]
    }

    /// Reads an unsigned 32-bit big-endian number.
    private mutating func readCount() throws(ZoneFileFlaw) -> Int {
        Int(UInt32(truncatingIfNeeded: try readInteger(bytes: 4)))
    }

    /// Reads a signed big-endian number.
    private mutating func readInteger(bytes count: Int) throws(ZoneFileFlaw) -> Int64 {
        var number: Int64 = 0
        for place in 0..<count {
            let byte = try readByte()
            number = place == 0 ? Int64(Int8(bitPattern: byte)) : number << 8 | Int64(byte)
        }
        return number
    }
}

/// The contents of a zone file.
struct ZoneFileContent: Hashable, Sendable {
    /// The instants at which the offset changes, in seconds since 1970, strictly ascending.
    var changes: [Int64]
    /// For each change, the index of the new offset in ``offsets``.
    var offsetIndices: [UInt16]
    /// At least one offset.
    var offsets: [ZoneOffset]
    /// The rule after the last change; `nil` in files of version 1 and for an empty footer.
    var rule: ZoneRule?
}

/// A defect of a zone file (RFC 8536).
public enum ZoneFileFlaw: Error, Hashable, Sendable {
    /// The file does not begin with `TZif`.
    case notAZoneFile
    /// The file is larger than any zone file.
    case tooLarge
    /// The file is shorter than its header declares.
    case truncated
    /// The header's numbers are inconsistent.
    case badHeader
    /// The changes are not ascending, or one refers to an offset that does not exist.
    case badChange
    /// An offset is outside −25…+26 hours, or an abbreviation is invalid.
    case badOffset
    /// The footer is not a POSIX `TZ` string.
    case badRule
    /// The file counts leap seconds, like those under `right/`; instants do not.
    case countsLeapSeconds
}

extension ZoneFileFlaw: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAZoneFile: "it does not begin with TZif"
        case .tooLarge: "it is larger than \(ZoneFileReader.maximumSize) bytes"
        case .truncated: "it is truncated"
        case .badHeader: "its header is inconsistent"
        case .badChange: "its clock changes are not in order"
        case .badOffset: "it contains an invalid offset or abbreviation"
        case .badRule: "its rule for later years is invalid"
        case .countsLeapSeconds: "it counts leap seconds"
        }
    }
}
