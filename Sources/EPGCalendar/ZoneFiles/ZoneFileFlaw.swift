/// What is wrong with a zone file (RFC 8536).
public enum ZoneFileFlaw: Error, Hashable, Sendable {
    /// It doesn't begin with `TZif`.
    case notAZoneFile
    /// It is larger than any zone file.
    case tooLarge
    /// It ends before everything that its header announces.
    case cutOff
    /// The header's numbers contradict each other.
    case badHeader
    /// The changes aren't ascending, or one leads to an offset that isn't there.
    case badChange
    /// An offset beyond −25…+26 hours, or an abbreviation that isn't one.
    case badOffset
    /// The footer isn't a POSIX `TZ` string.
    case badRule
    /// The file counts leap seconds (those under `right/` do), which instants don't.
    case countsLeapSeconds
}

extension ZoneFileFlaw: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAZoneFile: "it doesn't begin with TZif"
        case .tooLarge: "it is larger than \(ZoneFileReader.maximumSize) bytes"
        case .cutOff: "it is cut off"
        case .badHeader: "its header contradicts itself"
        case .badChange: "its changes of the clocks are out of order"
        case .badOffset: "it holds an offset or an abbreviation that can't be"
        case .badRule: "its rule for later years can't be read"
        case .countsLeapSeconds: "it counts leap seconds"
        }
    }
}
