package import XMLTV

/// A source whose first bytes can be examined before they are read.
///
/// Reads return those bytes again and then continue directly with the underlying source.
package struct PeekedSource<Base: ByteSource>: ByteSource {
    /// The maximum number of bytes that ``peek(_:)`` returns: 4 KiB.
    package static var maximumPeekCount: Int { 4096 }

    private var base: Base
    /// The buffer of examined bytes. Those in ``range`` are still to be read.
    private var held: [UInt8] = []
    private var range = 0..<0
    /// The error that followed the buffered bytes. It is thrown after they have been read.
    private var fault: ByteFault?
    private var hasEnded = false

    /// Creates a source without reading anything yet.
    package init(_ base: Base) {
        self.base = base
    }

    /// Returns the next `count` bytes, or fewer if the source ends or fails. Returns at most 4 KiB.
    ///
    /// - Throws: The error of the source if no byte precedes it. Reading throws it again.
    package mutating func peek(_ count: Int = maximumPeekCount) throws(ByteFault) -> ArraySlice<UInt8> {
        let wanted = min(max(0, count), Self.maximumPeekCount)
        if range.count < wanted { makeRoom() }
        while range.count < wanted, !hasEnded, fault == nil {
            do throws(ByteFault) {
                let got = try base.read(into: &held, at: range.upperBound, upTo: wanted - range.count)
                if got == 0 { hasEnded = true }
                range = 0..<range.upperBound + got
            } catch {
                fault = error
            }
        }
        if range.isEmpty, let fault { throw fault }
        return held[range].prefix(wanted)
    }

    package mutating func read(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(ByteFault) -> Int {
        if !range.isEmpty {
            let taken = min(count, range.count)
            let piece = range.lowerBound..<range.lowerBound + taken
            buffer.replaceSubrange(offset..<offset + taken, with: held[piece])
            range = piece.upperBound..<range.upperBound
            return taken
        }
        if let fault { throw fault }
        if hasEnded { return 0 }
        return try base.read(into: &buffer, at: offset, upTo: count)
    }

    /// Moves the buffered bytes to the front of a buffer of full size.
    private mutating func makeRoom() {
        var room = [UInt8](repeating: 0, count: Self.maximumPeekCount)
        for (place, byte) in held[range].enumerated() { room[place] = byte }
        held = room
        range = 0..<range.count
    }
}
