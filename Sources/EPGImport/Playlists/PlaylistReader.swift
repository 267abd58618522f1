package import EPGModel
package import XMLTV

/// Reads the channels of a playlist (M3U) one after the other, in memory that doesn't grow with the file.
///
/// ```swift
/// var reader = PlaylistReader(try FileSource(path: "channels.m3u"))
/// let lineup = try reader.readLineup(named: "channels")
/// ```
///
/// No standard describes such lists, so it takes what players take: lines ended in any way; UTF-8, UTF-16, or
/// where many bytes are no UTF-8 the likeliest encoding, else windows-1252 line by line; with or without `#EXTM3U`, entries without `#EXTINF` (named by their address), and attributes in
/// whatever quotes (see ``AttributeScanner``). The duration of an entry is not kept, since a channel has none. What can't be
/// used is skipped with a diagnostic.
package struct PlaylistReader {
    /// The attributes of the list, as far as it has been read; of a name that comes twice the first counts.
    package private(set) var attributes: [ContentAttribute] = []
    package private(set) var findings: PlaylistFindings

    private var lines: PlaylistLines
    private let remarks: TextSource.Remarks
    private let limits: PlaylistLimits
    private var entry: PendingEntry
    /// Whether there was a line that only playlists have.
    private var isPlaylist = false
    /// Whether there was a line that only lists of channels have.
    private var saysSomethingOfGuide = false
    private var count = 0

    package init(_ source: some ByteSource, limits: PlaylistLimits = .standard) {
        self.limits = limits
        let text = TextSource(source, eightBitText: .isGuessed)
        remarks = text.remarks
        lines = PlaylistLines(text, limits: limits)
        findings = PlaylistFindings(limit: limits.diagnostics)
        entry = PendingEntry(limit: limits.partsOfEntry)
    }

    /// Reads the whole list.
    ///
    /// - Throws: ``PlaylistError``, also where there is no channel in it.
    package mutating func readLineup(named name: String) throws(PlaylistError) -> Lineup {
        var channels: [Channel] = []
        var heldBytes = 0
        while let channel = try next() {
            channels.append(channel)
            heldBytes += channel.heldBytes
            guard heldBytes <= limits.heldBytes else { throw error(.tooMuchMemory(limits.heldBytes)) }
        }
        return Lineup(name: name, attributes: attributes, channels: channels)
    }

    /// The next channel; `nil` at the end.
    ///
    /// - Throws: ``PlaylistError`` where the file is no list of channels, is too large, or ends without any channel.
    package mutating func next() throws(PlaylistError) -> Channel? {
        while let line = try lines.next() {
            if case .tooLong = line {
                skipLongLine(lines.bytes)
            } else if let channel = try read(text()) {
                count += 1
                guard count <= limits.entries else { throw error(.tooManyEntries(limits.entries)) }
                return channel
            }
        }
        dropEntryWithoutAddress()
        for note in remarks.take() { findings.addKept(.badutf8, line: 0, quote: note.description.utf8) }
        guard count > 0 else { throw PlaylistError(reason: .noChannels, line: 0) }
        return nil
    }

    // MARK: - Lines

    /// The line in UTF-8, without a byte order mark and white space around it.
    private mutating func text() -> [UInt8] {
        var bytes = lines.bytes
        // Not only of the first line: lists are joined by hand.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        if let converted = PlaylistText.converted(bytes) {
            bytes = converted
            findings.addKept(.badutf8, line: lines.number, quote: bytes)
        }
        guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 })
        else { return [] }
        return first == 0 && last == bytes.count - 1 ? bytes : Array(bytes[first...last])
    }

    private mutating func read(_ bytes: [UInt8]) throws(PlaylistError) -> Channel? {
        let line = PlaylistLine(bytes)
        switch line {
        case .blank, .comment, .ignored: break
        case .header(let start): readHeader(bytes, from: start)
        case .streamTag:
            guard saysSomethingOfGuide else { throw error(.streamPlaylist) }
            findings.addSkipped(line: lines.number, quote: bytes)
        case .address: return try readAddress(bytes)
        case .entry(let start): readEntry(bytes, from: start)
        case .groups(let start):
            guard takes(bytes) else { break }
            let groups = PlaylistText.clean(bytes[start...])
            entry.addGroups(
                groups.count > 1 && groups.hasPrefix("\"") && groups.hasSuffix("\"")
                    ? String(groups.dropFirst().dropLast()) : groups)
        case .directive:
            guard takes(bytes) else { break }
            if !entry.addDirective(PlaylistText.clean(bytes)) {
                findings.addSkipped(line: lines.number, quote: bytes)
            }
        }
        return nil
    }

    /// Counts the bytes of a line towards its entry; `false` where they are too many.
    private mutating func takes(_ bytes: [UInt8]) -> Bool {
        let length = entry.length + bytes.count
        guard length <= limits.lineLength else {
            findings.addSkipped(line: lines.number, quote: bytes)
            return false
        }
        entry.length = length
        return true
    }

    private mutating func readHeader(_ bytes: [UInt8], from start: Int) {
        isPlaylist = true
        let scanned = AttributeScanner(bytes, from: start, hasName: false, limit: limits.partsOfEntry)
        if scanned.isBroken || scanned.isCut { findings.addKept(.notvalid, line: lines.number, quote: bytes) }
        for attribute in scanned.attributes
        where attributes.count < limits.partsOfEntry && !attributes.contains(where: { $0.name == attribute.name }) {
            attributes.append(attribute)
            saysSomethingOfGuide = true
        }
    }

    private mutating func readEntry(_ bytes: [UInt8], from start: Int) {
        isPlaylist = true
        dropEntryWithoutAddress()
        if entry.isSkipped { entry = PendingEntry(limit: limits.partsOfEntry) }
        guard takes(bytes) else {
            entry.isSkipped = true
            return
        }
        let scanned = AttributeScanner(
            bytes, from: Self.afterDuration(bytes, start), hasName: true, limit: limits.partsOfEntry)
        entry.describe(scanned, line: lines.number, quote: Array(bytes.prefix(800)))
        if scanned.isBroken || scanned.isCut || entry.hasBadNumber {
            findings.addKept(.notvalid, line: lines.number, quote: bytes)
        }
        if entry.saysSomethingOfGuide { saysSomethingOfGuide = true }
    }

    /// Where a duration ends: `-1`, `0`, `12.5`.
    private static func afterDuration(_ bytes: [UInt8], _ start: Int) -> Int {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let digits = bytes[start...].drop(while: isBlank).prefix { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."): true
            default: false
            }
        }
        return digits.endIndex
    }

    private mutating func readAddress(_ bytes: [UInt8]) throws(PlaylistError) -> Channel? {
        let address = PlaylistText.clean(bytes)
        guard !address.isEmpty else { return nil }
        guard isPlaylist || bytes.beginWithScheme(hasAuthority: true) else {
            let isPage = bytes.begin(with: "<!doctype html") || bytes.begin(with: "<html")
            throw error(isPage ? .htmlPage : .notPlaylist)
        }
        isPlaylist = true
        let done = entry
        entry = PendingEntry(limit: limits.partsOfEntry)
        guard !done.isSkipped, done.mark != nil || bytes.beginWithScheme(hasAuthority: false) else {
            // Without a description only what looks like an address is one.
            findings.addSkipped(line: lines.number, quote: bytes)
            return nil
        }
        return done.channel(at: address)
    }

    // MARK: - What can't be used

    private mutating func dropEntryWithoutAddress() {
        guard let mark = entry.mark else { return }
        findings.addSkipped(line: mark.line, quote: mark.quote)
        entry = PendingEntry(limit: limits.partsOfEntry)
    }

    private mutating func skipLongLine(_ bytes: [UInt8]) {
        findings.addSkipped(line: lines.number, quote: bytes)
        switch PlaylistLine(bytes) {
        case .entry:
            // Without its description the address that follows says nothing.
            isPlaylist = true
            dropEntryWithoutAddress()
            entry.isSkipped = true
        case .address: entry = PendingEntry(limit: limits.partsOfEntry)
        default: break
        }
    }

    private func error(_ reason: PlaylistError.Reason) -> PlaylistError {
        PlaylistError(reason: reason, line: lines.number)
    }
}

extension Channel {
    /// Bytes that the channel takes in memory, about.
    fileprivate var heldBytes: Int {
        let texts = [name, guideID, guideName, logo, address].compactMap(\.self) + groups + directives
        return MemoryLayout<Channel>.stride + texts.reduce(0) { $0 + $1.heldBytes }
            + (groups.count + directives.count) * MemoryLayout<String>.stride + 3 * 32
            + attributes.reduce(0) {
                $0 + MemoryLayout<ContentAttribute>.stride + $1.name.heldBytes + $1.value.heldBytes
            }
    }
}
