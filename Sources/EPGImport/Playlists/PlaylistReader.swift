public import EPGModel
package import XMLTV

/// A streaming reader of playlists (M3U) that reads one channel at a time in constant memory.
///
/// ```swift
/// var reader = PlaylistReader(try FileSource(path: "channels.m3u"))
/// let lineup = try reader.readLineup(named: "channels")
/// ```
///
/// There is no standard, so it accepts what players accept: any line terminators; UTF-8, UTF-16, or, if many bytes are
/// not UTF-8, the most likely encoding, otherwise windows-1252 line by line; lists with or without `#EXTM3U`; entries
/// without `#EXTINF` (named by their URL); and attributes in any quotes (see ``AttributeScanner``). It drops the
/// duration of an entry, because a channel has none, and skips unusable lines with a diagnostic.
package struct PlaylistReader {
    /// The attributes of the list read so far. The first one of a name wins.
    package private(set) var attributes: [ContentAttribute] = []
    /// The first title of the list read so far (`#PLAYLIST:`); `nil` without one.
    package private(set) var title: String?
    /// The findings so far.
    package private(set) var findings: PlaylistFindings

    private var lines: PlaylistLines
    private let remarks: TextSource.Remarks
    private let limits: PlaylistLimits
    private var entry: PendingEntry
    /// Whether a line has been read that occurs only in playlists.
    private var isPlaylist = false
    /// Whether a line has been read that occurs only in channel lists.
    private var hasGuideInformation = false
    private var count = 0

    /// Creates a reader without reading anything yet.
    package init(_ source: some ByteSource, limits: PlaylistLimits = .standard) {
        self.limits = limits
        let text = TextSource(source, eightBitText: .guessed)
        remarks = text.remarks
        lines = PlaylistLines(text, limits: limits)
        findings = PlaylistFindings(limit: limits.diagnostics)
        entry = PendingEntry(limit: limits.partsPerEntry)
    }

    /// Reads the complete list.
    ///
    /// - Parameter name: The name of the lineup.
    /// - Throws: ``PlaylistError``, also if it has no channels, or if they exceed ``PlaylistLimits/heldBytes``.
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

    /// Returns the next channel, or `nil` at the end.
    ///
    /// - Throws: ``PlaylistError`` if the file is not a channel list, is too large, or ends without any channel.
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
        findings.isTruncated = entry.mark != nil
        dropEntryWithoutURL()
        for note in remarks.drainNotes() { findings.addKept(.badutf8, line: 0, quote: note.description.utf8) }
        guard count > 0 else { throw PlaylistError(reason: .noChannels, line: 0) }
        return nil
    }

    // MARK: - Lines

    /// Returns the line in UTF-8, without a byte order mark and surrounding white space.
    private mutating func text() -> [UInt8] {
        var bytes = lines.bytes
        // Remove it in every line, because lists are often concatenated.
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
        case .title(let start): title = title ?? PlaylistText.clean(bytes[start...])
        case .header(let start): readHeader(bytes, from: start)
        case .streamTag:
            guard hasGuideInformation else { throw error(.streamPlaylist) }
            findings.addSkipped(line: lines.number, quote: bytes)
        case .url: return try readURL(bytes)
        case .entry(let start): readEntry(bytes, from: start)
        case .groups(let start):
            guard fits(bytes) else { break }
            let groups = PlaylistText.clean(bytes[start...])
            entry.addGroups(
                groups.count > 1 && groups.hasPrefix("\"") && groups.hasSuffix("\"")
                    ? String(groups.dropFirst().dropLast()) : groups)
        case .directive:
            guard fits(bytes) else { break }
            if !entry.addDirective(PlaylistText.clean(bytes)) {
                findings.addSkipped(line: lines.number, quote: bytes)
            }
        }
        return nil
    }

    /// Adds the bytes of a line to its entry. Returns `false` if there are too many.
    private mutating func fits(_ bytes: [UInt8]) -> Bool {
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
        let scanned = AttributeScanner(bytes, from: start, hasName: false, limit: limits.partsPerEntry)
        if scanned.isBroken || scanned.isTruncated { findings.addKept(.notvalid, line: lines.number, quote: bytes) }
        for attribute in scanned.attributes
        where attributes.count < limits.partsPerEntry && !attributes.contains(where: { $0.name == attribute.name }) {
            attributes.append(attribute)
            hasGuideInformation = true
        }
    }

    private mutating func readEntry(_ bytes: [UInt8], from start: Int) {
        isPlaylist = true
        dropEntryWithoutURL()
        if entry.isSkipped { entry = PendingEntry(limit: limits.partsPerEntry) }
        guard fits(bytes) else {
            entry.isSkipped = true
            return
        }
        let scanned = AttributeScanner(
            bytes, from: Self.afterDuration(bytes, start), hasName: true, limit: limits.partsPerEntry)
        entry.describe(scanned, line: lines.number, quote: Array(bytes.prefix(800)))
        if scanned.isBroken || scanned.isTruncated || entry.hasBadNumber {
            findings.addKept(.notvalid, line: lines.number, quote: bytes)
        }
        if entry.hasGuideInformation { hasGuideInformation = true }
    }

    /// Returns the end of a duration: `-1`, `0`, `12.5`.
    private static func afterDuration(_ bytes: [UInt8], _ start: Int) -> Int {
        let isWhiteSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let digits = bytes[start...].drop(while: isWhiteSpace).prefix { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."): true
            default: false
            }
        }
        return digits.endIndex
    }

    private mutating func readURL(_ bytes: [UInt8]) throws(PlaylistError) -> Channel? {
        let url = PlaylistText.clean(bytes)
        guard !url.isEmpty else { return nil }
        guard isPlaylist || bytes.beginWithScheme(hasAuthority: true) else {
            let isPage = bytes.begin(with: "<!doctype html") || bytes.begin(with: "<html")
            throw error(isPage ? .htmlPage : .notPlaylist)
        }
        isPlaylist = true
        let done = entry
        entry = PendingEntry(limit: limits.partsPerEntry)
        guard !done.isSkipped, done.mark != nil || bytes.beginWithScheme(hasAuthority: false) else {
            // Without a description, only text that looks like a URL is accepted.
            findings.addSkipped(line: lines.number, quote: bytes)
            return nil
        }
        return done.channel(at: url)
    }

    // MARK: - Skipped lines

    private mutating func dropEntryWithoutURL() {
        guard let mark = entry.mark else { return }
        findings.addSkipped(line: mark.line, quote: mark.quote)
        entry = PendingEntry(limit: limits.partsPerEntry)
    }

    private mutating func skipLongLine(_ bytes: [UInt8]) {
        findings.addSkipped(line: lines.number, quote: bytes)
        switch PlaylistLine(bytes) {
        case .entry:
            // Without its description, the URL that follows has no meaning.
            isPlaylist = true
            dropEntryWithoutURL()
            entry.isSkipped = true
        case .url: entry = PendingEntry(limit: limits.partsPerEntry)
        default: break
        }
    }

    private func error(_ reason: PlaylistError.Reason) -> PlaylistError {
        PlaylistError(reason: reason, line: lines.number)
    }
}

extension Channel {
    /// The approximate memory of the channel in bytes.
    fileprivate var heldBytes: Int {
        let texts = [name, guideID, guideName, logo, url].compactMap(\.self) + groups + directives
        return MemoryLayout<Channel>.stride + texts.reduce(0) { $0 + $1.heldBytes }
            + (groups.count + directives.count) * MemoryLayout<String>.stride + 3 * 32
            + attributes.reduce(0) {
                $0 + MemoryLayout<ContentAttribute>.stride + $1.name.heldBytes + $1.value.heldBytes
            }
    }
}

/// URLs of streams, whose parts may contain a password.
package enum StreamURL {
    /// Returns the URL without user and query, and without user and password in the path of servers with the Xtream Codes API:
    /// `http://tuner.example/…/7.ts` for `http://tuner.example/live/viewer/secret/7.ts`.
    package static func shortened(_ url: String) -> String {
        guard let sign = url.firstRange(of: "://") else { return url }
        let rest = url[sign.upperBound...].prefix { $0 != "?" && $0 != "#" && $0 != "|" }
        let host = rest.prefix { $0 != "/" }
        let path = rest[host.endIndex...].split(separator: "/")
        let isNumbered = path.last?.prefix { $0 != "." }.allSatisfy { ("0"..."9").contains($0) } ?? false
        let shown = path.count > 2 && isNumbered ? "/…/\(path[path.count - 1])" : String(rest[host.endIndex...])
        return "\(url[..<sign.upperBound])\(host.split(separator: "@").last ?? "")\(shown)"
    }
}

/// A playlist entry before its URL has been read.
private struct PendingEntry {
    /// The line number of the `#EXTINF` line and its text for diagnostics; `nil` before it has been read.
    private(set) var mark: (line: Int, quote: [UInt8])?
    /// Whether the description couldn't be read, so that the URL is skipped, too.
    var isSkipped = false
    /// The total length of its lines in bytes.
    var length = 0
    private var channel = Channel(name: "", url: "")
    private let limit: Int

    /// - Parameter limit: The maximum number of attributes, of groups, and of directives.
    init(limit: Int) {
        self.limit = limit
    }

    /// Adds the content of an `#EXTINF` line. The first value of a repeated attribute wins.
    mutating func describe(_ scanned: AttributeScanner, line: Int, quote: [UInt8]) {
        mark = (line, quote)
        channel.name = scanned.name
        for attribute in scanned.attributes { add(attribute) }
    }

    private mutating func add(_ attribute: ContentAttribute) {
        let value = attribute.value
        switch attribute.name {
        case PlaylistAttribute.guideID: Self.set(&channel.guideID, value)
        case PlaylistAttribute.guideName: Self.set(&channel.guideName, value)
        case PlaylistAttribute.logo: Self.set(&channel.logo, value)
        case PlaylistAttribute.groups: addGroups(value)
        case let name where PlaylistAttribute.numbers.contains(name) && channel.number == nil:
            if let number = ChannelNumber(value) {
                channel.number = number
            } else if !value.isEmpty {
                channel.attributes.append(attribute)
            }
        case let name where channel.attributes.contains { $0.name == name }: break
        default: channel.attributes.append(attribute)
        }
    }

    private static func set(_ field: inout String?, _ value: String) {
        if field == nil, !value.isEmpty { field = value }
    }

    /// Adds groups separated by semicolons.
    mutating func addGroups(_ text: String) {
        for piece in text.split(separator: ";") {
            let group = PlaylistText.clean(String(piece))
            if !group.isEmpty, channel.groups.count < limit, !channel.groups.contains(group) {
                channel.groups.append(group)
            }
        }
    }

    /// Adds a directive. Returns `false` if the limit is reached.
    mutating func addDirective(_ text: String) -> Bool {
        guard channel.directives.count < limit else { return false }
        channel.directives.append(text)
        return true
    }

    /// Whether it has guide information, unlike entries of a single stream's playlist.
    var hasGuideInformation: Bool {
        channel.guideID != nil || channel.guideName != nil || channel.logo != nil || channel.number != nil
            || !channel.groups.isEmpty
    }

    /// Returns the complete channel. A channel without a name gets its guide name or identifier, or else its URL without the parts that
    /// may contain a password: `http://tuner.example/…/7.ts`.
    func channel(at url: String) -> Channel {
        var channel = channel
        channel.url = url
        // The first valid number wins, and is written under this name.
        if channel.number != nil { channel.attributes.removeAll { $0.name == PlaylistAttribute.numbers[0] } }
        if channel.name.isEmpty { channel.name = channel.guideName ?? channel.guideID ?? StreamURL.shortened(url) }
        return channel
    }

    /// Whether the entry has an invalid number.
    var hasBadNumber: Bool {
        channel.number == nil && channel.attributes.contains { PlaylistAttribute.numbers.contains($0.name) }
    }
}

/// The lines of a file, terminated by LF, CRLF, or CR, in bounded memory.
private struct PlaylistLines {
    /// The completeness of a line.
    enum Line {
        /// All bytes of the line, without its terminator.
        case complete
        /// Only the first bytes of a line that exceeds the limit.
        case tooLong
    }

    private var source: any ByteSource
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var unread = 0..<0
    /// Whether the last line ended with CR, so that a following LF belongs to it.
    private var endedWithReturn = false
    private let limits: PlaylistLimits
    private var bytesRead = 0
    /// The bytes of the last line read.
    private(set) var bytes: [UInt8] = []
    /// The number of the last line read, from 1.
    private(set) var number = 0

    init(_ source: some ByteSource, limits: PlaylistLimits) {
        self.source = source
        self.limits = limits
    }

    /// Reads the next line into ``bytes``. Returns `nil` at the end of the file.
    ///
    /// - Complexity: O(length of the line). Memory is bounded by the limit of a line.
    mutating func next() throws(PlaylistError) -> Line? {
        bytes.removeAll(keepingCapacity: bytes.capacity <= 64 << 10)
        var isTooLong = false
        var hasBegun = false
        while true {
            if unread.isEmpty, try !refill() {
                guard hasBegun else { return nil }
                number += 1
                return isTooLong ? .tooLong : .complete
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
            return isTooLong ? .tooLong : .complete
        }
    }

    /// Reads more bytes. Returns `false` at the end.
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

/// Limits on a playlist, which bound memory.
package struct PlaylistLimits: Hashable, Sendable {
    /// The maximum length in bytes of a line, and of all lines that describe one entry. Longer ones are skipped with a
    /// diagnostic. The default is 1 MiB.
    package var lineLength = 1 << 20
    /// The maximum number of entries. More are an error. The default is 200,000.
    package var entries = 200_000
    /// The maximum length of the file in bytes. More is an error. The default is 256 MiB.
    package var fileLength = 256 << 20
    /// The maximum memory of the channels in bytes. More is an error. The default is 128 MiB.
    package var heldBytes = 128 << 20
    /// The maximum number of attributes, of groups, and of directives of an entry, and of attributes of the list.
    /// Further ones are dropped. The default is 64.
    package var partsPerEntry = 64
    /// The maximum number of diagnostics to keep. Further ones are only counted. The default is 1,000.
    package var diagnostics = 1000

    /// The default limits.
    package static let standard = PlaylistLimits()

    /// Creates the default limits.
    package init() {}
}

/// The findings in a playlist: the first diagnostics, and the count of each keyword.
public struct PlaylistFindings: Hashable, Sendable {
    /// The first diagnostics in file order, at most ``PlaylistLimits/diagnostics``.
    public private(set) var diagnostics: [Diagnostic] = []
    /// The counts of all diagnostics, including those not kept.
    public private(set) var counts: [Diagnostic.Keyword: Int] = [:]
    /// Whether the file ends with a channel without a URL, so that it is probably truncated.
    package fileprivate(set) var isTruncated = false
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a skipped line or entry.
    fileprivate mutating func addSkipped(line: Int, quote: some Collection<UInt8>) {
        add(.notvalid, .error, .skipped, line, quote)
    }

    /// Adds a line that was read despite a problem.
    fileprivate mutating func addKept(_ keyword: Diagnostic.Keyword, line: Int, quote: some Collection<UInt8>) {
        add(keyword, .warning, .kept, line, quote)
    }

    private mutating func add(
        _ keyword: Diagnostic.Keyword, _ severity: Diagnostic.Severity, _ action: Diagnostic.Action, _ line: Int,
        _ quote: some Collection<UInt8>
    ) {
        counts[keyword, default: 0] += 1
        guard diagnostics.count < limit else { return }
        // A character has at most four bytes.
        let start = Self.withoutPaths(PlaylistText.clean(quote.prefix(800)))
        diagnostics.append(
            Diagnostic(
                severity: severity, keyword: keyword, action: action, line: line,
                quote: String(String.UnicodeScalarView(start.unicodeScalars.prefix(200)))))
    }

    /// Returns a line without the users, paths and queries of its URLs, which may contain a password: `http://tuner.example/…`.
    private static func withoutPaths(_ line: String) -> String {
        var (text, rest) = ("", line[...])
        while let sign = rest.firstRange(of: "://") {
            text += rest[..<sign.upperBound]
            rest = rest[sign.upperBound...]
            let end = rest.firstIndex { $0.isWhitespace || "\"'<>".contains($0) } ?? rest.endIndex
            let host = rest[..<end].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            text += host.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            if host.endIndex < end { text += "/…" }
            rest = rest[end...]
        }
        return text + rest
    }
}

/// An error for a file that can't be read as a playlist.
package struct PlaylistError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason why a file can't be read as a playlist.
    package enum Reason: Hashable, Sendable {
        /// The bytes can't be read.
        case unreadable(ByteFault)
        /// An HTML page in place of a playlist.
        case htmlPage
        /// A playlist of a stream's segments or variants (HTTP Live Streaming, RFC 8216) rather than of channels.
        case streamPlaylist
        /// A file whose first line is neither a tag of a playlist nor a URL.
        case notPlaylist
        /// No usable entry.
        case noChannels
        /// The file ends with a channel without a URL, after this number of channels.
        case truncated(channels: Int)
        /// More entries than this limit.
        case tooManyEntries(Int)
        /// More bytes than this limit.
        case tooLong(Int)
        /// Channels that take more bytes of memory than this limit.
        case tooMuchMemory(Int)
    }

    /// The reason why the file can't be read as a playlist.
    package let reason: Reason
    /// The line number, from 1; 0 if the error concerns no line.
    package let line: Int

    /// The error message, with the line number if there is one.
    package var description: String { line > 0 ? "line \(line): \(sentence)" : sentence }

    private var sentence: String {
        switch reason {
        case .unreadable(let fault): fault.description
        case .htmlPage:
            "this is an HTML page, not a playlist; its URL may require a login or be out of date"
        case .streamPlaylist:
            "this is the playlist of a single stream (HLS), not a list of channels; import the list that refers to it"
        case .notPlaylist: "not a playlist (M3U): it starts with neither #EXTM3U, #EXTINF, nor a URL"
        case .noChannels: "this playlist has no channels and was not imported; check its source"
        case .truncated(let count):
            "the playlist ends with a channel without a URL and is probably truncated; \(count == 1 ? "1 channel" : "\(count) channels") "
                + "before that \(count == 1 ? "is" : "are") complete"
        case .tooManyEntries(let limit): "this playlist has more than \(limit) channels; split it or filter it first"
        case .tooMuchMemory(let limit):
            "the channels of this playlist take more than \(limit >> 20) MiB of memory; split it or filter it first"
        case .tooLong(let limit): "this playlist is longer than \(limit >> 20) MiB; split it or filter it first"
        }
    }
}
