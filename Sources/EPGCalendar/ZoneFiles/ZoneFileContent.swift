/// What a zone file holds.
struct ZoneFileContent: Hashable, Sendable {
    /// The changes of the clocks, in seconds since 1970, strictly ascending.
    var changes: [Int64]
    /// What holds from each change on, as an index into ``offsets``; as many as ``changes``.
    var offsetIndices: [UInt16]
    /// At least one.
    var offsets: [ZoneOffset]
    /// What holds after the last change; `nil` in files of version 1 and where the footer is empty.
    var rule: ZoneRule?
}
