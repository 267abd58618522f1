package import XMLTV

/// A source whose first bytes can be looked at before they are read.
///
/// Reading gives those bytes again, and then goes straight to the source below.
package struct PeekedSource<Base: ByteSource>: ByteSource {
    /// The most that ``peek(_:)`` gives: 4 KiB.
    package static var mostPeeked: Int { 4096 }

    private var base: Base
    /// Room for the bytes that are looked at; those in ``range`` are still to be read.
    private var held: [UInt8] = []
    private var range = 0..<0
    /// What came after the bytes that are held; thrown once they are read.
    private var fault: ByteFault?
    private var hasEnded = false

    /// A source that reads from another; nothing is read yet.
    package init(_ base: Base) {
        self.base = base
    }

    /// The bytes that come next: `count` of them, fewer where the source ends or fails, and never more than 4 KiB.
    ///
    /// - Throws: What the source throws where it gives no byte before; reading throws it again.
    package mutating func peek(_ count: Int = mostPeeked) throws(ByteFault) -> ArraySlice<UInt8> {
        let wanted = min(max(0, count), Self.mostPeeked)
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

    /// Moves what is held to the front of the whole room.
    private mutating func makeRoom() {
        var room = [UInt8](repeating: 0, count: Self.mostPeeked)
        for (place, byte) in held[range].enumerated() { room[place] = byte }
        held = room
        range = 0..<range.count
    }
}
