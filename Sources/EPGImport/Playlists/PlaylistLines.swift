import XMLTV

/// The lines of a file, ended by LF, CRLF or CR, in bounded memory.
struct PlaylistLines {
    /// What stands in a line.
    enum Line {
        /// The bytes of it, without its end.
        case whole
        /// It is longer than the limit: only the first bytes of it.
        case tooLong
    }

    private var source: any ByteSource
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var unread = 0..<0
    /// Whether the last line ended with CR, so that an LF belongs to it.
    private var endedWithReturn = false
    private let limits: PlaylistLimits
    private var bytesRead = 0
    /// The bytes of the line that was read last.
    private(set) var bytes: [UInt8] = []
    /// The number of the line that was read last, from 1.
    private(set) var number = 0

    init(_ source: some ByteSource, limits: PlaylistLimits) {
        self.source = source
        self.limits = limits
    }

    /// Reads the next line into ``bytes``; `nil` at the end of the file.
    ///
    /// - Complexity: O(length of the line), in memory at most the limit of a line.
    mutating func next() throws(PlaylistError) -> Line? {
        bytes.removeAll(keepingCapacity: bytes.capacity <= 64 << 10)
        var isTooLong = false
        var hasBegun = false
        while true {
            if unread.isEmpty, try !refill() {
                guard hasBegun else { return nil }
                number += 1
                return isTooLong ? .tooLong : .whole
            }
            if endedWithReturn {
                endedWithReturn = false
                if buffer[unread.lowerBound] == 0x0A {
                    unread = unread.lowerBound + 1..<unread.upperBound
                    continue
                }
            }
            hasBegun = true
            let end = buffer[unread].firstIndex { $0 == 0x0A || $0 == 0x0D }
            let piece = unread.lowerBound..<(end ?? unread.upperBound)
            let room = max(0, limits.lineLength - bytes.count)
            isTooLong = isTooLong || piece.count > room
            bytes.append(contentsOf: buffer[piece.prefix(room)])
            guard let end else {
                unread = 0..<0
                continue
            }
            endedWithReturn = buffer[end] == 0x0D
            unread = end + 1..<unread.upperBound
            number += 1
            return isTooLong ? .tooLong : .whole
        }
    }

    /// Reads more bytes; `false` at the end.
    private mutating func refill() throws(PlaylistError) -> Bool {
        do throws(ByteFault) {
            let got = try source.read(into: &buffer, at: 0, upTo: buffer.count)
            unread = 0..<got
            bytesRead += got
        } catch {
            throw PlaylistError(reason: .unreadable(error), line: number + 1)
        }
        guard bytesRead <= limits.fileLength else {
            throw PlaylistError(reason: .tooLong(limits.fileLength), line: number + 1)
        }
        return !unread.isEmpty
    }
}
