/// A byte source that converts a document from any encoding to UTF-8.
///
/// It detects the encoding from the first bytes and the XML declaration (XML 1.0, appendix F). UTF-8 and ASCII pass
/// unchanged, and the scanner validates them. iconv converts everything else.
///
/// A strict source trusts the declaration and throws if the bytes contradict it. A repairing source trusts the bytes:
/// it looks ahead at the first non-ASCII bytes before it converts from a declared encoding, it can switch later
/// (``reconsider(_:undecided:)``), and it keeps notes of its decisions. They depend on the bytes alone, not on chunk
/// boundaries.
package struct DecodedSource {
    private enum State {
        /// Nothing has been read.
        case beginning
        /// Bytes pass unchanged.
        case passing
        /// An encoding is declared, but only ASCII, which passes unchanged, has been read.
        case declared(NamedEncoding)
        case converting
    }

    private var source: any ByteSource
    private let repairs: Bool
    /// The encoding that the user requested.
    private let forced: String?
    private var state = State.beginning
    /// Bytes that were read but not yet passed on.
    private var waiting: [UInt8] = []
    private var waitingRange = 0..<0
    private var sourceEnded = false
    /// The read error, kept until all bytes before it are passed on.
    private var fault: XMLError.Reason?
    /// The number of bytes of the document that were passed on or converted.
    private var position = 0
    /// The encoding that the document declares or the user requested.
    private var declared: String?
    private var notes: [EncodingNote] = []

    private var converter: Iconv?
    /// Whether the converter has delivered the character it held back at the end.
    private var isFinished = false
    /// Whether the document declares ISO-8859-1 and no byte that only windows-1252 defines has been read.
    private var watchesControls = false
    /// The number of sequences replaced by U+FFFD, and the offset of the first one.
    private var replaced: (count: Int, first: Int) = (0, 0)
    /// The encoding that the source converts from, or `nil`.
    package private(set) var convertedFrom: String?

    private static let chunk = 64 << 10

    /// Creates a source of UTF-8.
    ///
    /// - Parameters:
    ///   - source: The source of the encoded bytes.
    ///   - repairs: Whether the bytes override the declaration and U+FFFD replaces invalid sequences. By default, both
    ///     are errors.
    ///   - encoding: The encoding, which overrides the declaration, but not a byte order mark. `nil` detects it. The
    ///     first read reports an unknown name.
    package init(_ source: some ByteSource, repairs: Bool = false, encoding: String? = nil) {
        self.source = source
        self.repairs = repairs
        forced = encoding
    }

    /// Reads UTF-8 into a buffer: at least one byte, or none at the end.
    ///
    /// - Parameters:
    ///   - buffer: The buffer, which holds at least `offset + count` bytes.
    ///   - offset: The position of the first byte in the buffer.
    ///   - count: The maximum number of bytes, at least 32, so that there is always room for a character.
    /// - Returns: The number of bytes.
    /// - Throws: The reason that the document is rejected, after all bytes before the error have been read.
    package mutating func read(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(XMLError.Reason) -> Int {
        while true {
            switch state {
            case .passing where waitingRange.isEmpty:
                if sourceEnded { return try endOrFault() }
                let got = try Self.read(&source, into: &buffer, at: offset, upTo: count)
                position += got
                return got
            case .passing:
                return pass(waitingRange.count, into: &buffer, at: offset, upTo: count)
            case .converting:
                return try convert(into: &buffer, at: offset, upTo: count)
            case .beginning:
                try detect()
            case .declared(let encoding):
                if waitingRange.isEmpty { fill(atLeast: 1) }
                if waitingRange.isEmpty { return try endOrFault() }
                let plain = waiting.span.countOfASCII(in: waitingRange)
                if plain > 0 { return pass(plain, into: &buffer, at: offset, upTo: count) }
                decide(on: encoding)
            }
        }
    }

    /// Returns the notes since the last call. The note of replaced sequences follows at the end of the document.
    ///
    /// A strict source has no notes.
    package mutating func takeNotes() -> [EncodingNote] {
        if sourceEnded, waitingRange.isEmpty, replaced.count > 0 {
            let name = convertedFrom ?? "UTF-8"
            notes.append(
                EncodingNote(kind: .replaced(replaced.count), declared: declared, used: name, offset: replaced.first))
            replaced.count = 0
        }
        defer { notes = [] }
        return notes
    }

    // MARK: - Waiting bytes

    /// Passes bytes on unchanged.
    private mutating func pass(_ available: Int, into buffer: inout [UInt8], at offset: Int, upTo count: Int) -> Int {
        let taken = min(count, available)
        let start = waitingRange.lowerBound
        buffer.replaceSubrange(offset..<offset + taken, with: waiting[start..<start + taken])
        advance(by: taken)
        return taken
    }

    private mutating func advance(by count: Int) {
        waitingRange = waitingRange.lowerBound + count..<waitingRange.upperBound
        position += count
    }

    /// Reads until at least `minimum` bytes wait or the source ends.
    private mutating func fill(atLeast minimum: Int) {
        guard !sourceEnded, waitingRange.count < minimum else { return }
        waiting.moveToFront(from: waitingRange.lowerBound, count: waitingRange.count)
        waitingRange = 0..<waitingRange.count
        let wanted = max(minimum, Self.chunk)
        if waiting.count < wanted { waiting += [UInt8](repeating: 0, count: wanted - waiting.count) }
        while waitingRange.count < minimum, !sourceEnded {
            do throws(XMLError.Reason) {
                let room = waiting.count - waitingRange.count
                let got = try Self.read(&source, into: &waiting, at: waitingRange.count, upTo: room)
                if got == 0 { sourceEnded = true }
                waitingRange = 0..<waitingRange.count + got
            } catch {
                // Process the bytes before the error first.
                fault = error
                sourceEnded = true
            }
        }
    }

    /// Returns 0 for the end of the source, or throws the error that ended it.
    private func endOrFault() throws(XMLError.Reason) -> Int {
        if let fault { throw fault }
        return 0
    }

    private static func read(
        _ source: inout any ByteSource, into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(XMLError.Reason) -> Int {
        do throws(ByteFault) {
            return try source.read(into: &buffer, at: offset, upTo: count)
        } catch {
            throw .unreadable(error)
        }
    }
}

extension Span<UInt8> {
    /// Returns how many ASCII bytes a range starts with.
    fileprivate func countOfASCII(in range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index &+ 8 <= range.upperBound, eightBytes(at: index) & 0x8080_8080_8080_8080 == 0 { index &+= 8 }
        while index < range.upperBound, self[index] < 0x80 { index &+= 1 }
        return index &- range.lowerBound
    }
}

extension DecodedSource {
    /// The number of bytes to examine, from the first non-ASCII byte on, before choosing an encoding. Up to eight times
    /// as many if fewer than ``minimumNonASCII`` of them are non-ASCII.
    private static let lookAhead = 64 << 10
    private static let minimumNonASCII = 64

    /// Detects the encoding from the first bytes.
    private mutating func detect() throws(XMLError.Reason) {
        fill(atLeast: 1024)
        if let fault { throw fault }
        let first = Array(waiting[waitingRange].prefix(Self.chunk))
        let detection: EncodingDetection
        if let forced {
            detection = try EncodingDetection(first, forced: forced)
        } else if repairs {
            detection = EncodingDetection(repairing: first)
        } else {
            detection = try EncodingDetection(first)
        }
        advance(by: detection.markLength)
        declared = detection.declared
        if repairs { notes = detection.notes }
        switch detection.reading {
        case .utf8: state = .passing
        case .converted(let name): try startConverting(from: name, displayName: detection.displayName)
        case .declared(let encoding): state = .declared(encoding)
        }
    }

    /// Decides at the first non-ASCII byte whether the declared encoding is correct.
    ///
    /// UTF-8 wins if the bytes are valid UTF-8 and either invalid in the declared encoding or too many to be valid by
    /// chance. If many sequences are invalid in the declared encoding, the most likely encoding wins, which may be the
    /// declared one.
    private mutating func decide(on encoding: NamedEncoding) {
        let sample = sampleOfWaiting()
        let evidence = UTF8Evidence(sample, isCut: !endsDocument(sample))
        let faults = faults(of: sample, in: encoding.name)
        let isChance = encoding.form == .other && faults == 0 && evidence.pairs + 2 * evidence.longer < 4
        if evidence.isUTF8, !isChance {
            record(.contradicted, used: "UTF-8", at: position)
            state = .passing
            return
        }
        watchesControls = encoding.isLatin1
        let beyond = sample.count(where: { $0 >= 0x80 })
        // The guess weighs invalid sequences against alternatives, unless it has no model of the declared encoding.
        let isKnown = EncodingGuess.names.contains(encoding.name)
        let isContradicted = beyond >= 16 && faults >= 2 && faults * (isKnown ? 200 : 10) > beyond
        let name = isContradicted ? EncodingGuess.best(for: sample) : encoding.name
        switchTo(name, isContradicted && name != encoding.name ? .contradicted : nil, at: position)
    }

    /// Reconsiders the encoding after the scanner found bytes that are not UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that were passed on last. If the method returns `true`, the source takes them back and
    ///     delivers them again, converted.
    ///   - undecided: Whether no non-ASCII character precedes them. Otherwise the document has been UTF-8 so far, and
    ///     switching needs strong evidence.
    /// - Returns: Whether the document continues in another encoding. `false` means that the bytes are UTF-8 with stray
    ///   bytes, or so few that reading each as windows-1252 is as good.
    /// - Complexity: O(bytes).
    package mutating func reconsider(_ bytes: ArraySlice<UInt8>, undecided: Bool) -> Bool {
        guard repairs, forced == nil, case .passing = state else { return false }
        // Examine what follows, too, so that the result doesn't depend on chunk boundaries.
        let plain = bytes.span.countOfASCII(in: 0..<bytes.count)
        guard plain < bytes.count else { return false }
        let saved = (waiting: Array(waiting[waitingRange]), position: position)
        waiting = Array(bytes) + saved.waiting
        waitingRange = plain..<waiting.count
        position -= bytes.count - plain
        let sample = sampleOfWaiting()
        let evidence = UTF8Evidence(sample, isCut: !endsDocument(sample))
        let isOther =
            undecided ? evidence.strays > evidence.validBytes : evidence.strays >= 16 && evidence.validBytes == 0
        let name = isOther ? EncodingGuess.best(for: sample) : "UTF-8"
        let isNoBetter = name == "windows-1252" && (!undecided || evidence.strays < 16 || evidence.validBytes > 0)
        guard isOther, !isNoBetter else {
            let behind = waitingRange.lowerBound + bytes.count - plain
            waitingRange = behind..<waitingRange.upperBound
            position = saved.position
            return false
        }
        let offset = position
        waiting.replaceSubrange(..<waitingRange.lowerBound, with: bytes.prefix(plain))
        waitingRange = 0..<plain + waitingRange.count
        position -= plain
        return switchTo(name, .guessed, at: offset)
    }

    @discardableResult
    private mutating func switchTo(_ name: String, _ kind: EncodingNote.Kind?, at offset: Int) -> Bool {
        do throws(XMLError.Reason) {
            try startConverting(from: name, displayName: name)
        } catch {
            // The C library doesn't know the encoding: pass the bytes on unchanged.
            state = .passing
            record(.unknownName, used: "UTF-8", at: offset)
            return false
        }
        if let kind { record(kind, used: name, at: offset) }
        return true
    }

    private mutating func record(_ kind: EncodingNote.Kind, used: String, at offset: Int) {
        notes.append(EncodingNote(kind: kind, declared: declared, used: used, offset: offset))
    }

    // MARK: - Lookahead

    /// Reads enough waiting bytes for a decision, and returns them.
    private mutating func sampleOfWaiting() -> ArraySlice<UInt8> {
        var length = Self.lookAhead
        while true {
            fill(atLeast: length)
            let sample = waiting[waitingRange].prefix(length)
            let isEnough = sample.count < length || length >= Self.lookAhead * 8
            if isEnough || sample.count(where: { $0 >= 0x80 }) >= Self.minimumNonASCII { return sample }
            length *= 2
        }
    }

    /// Returns whether a sample of the waiting bytes reaches the end of the document.
    private func endsDocument(_ sample: ArraySlice<UInt8>) -> Bool {
        sourceEnded && sample.count == waitingRange.count
    }

    /// Returns the number of invalid sequences when a sample is decoded from an encoding.
    private func faults(of sample: ArraySlice<UInt8>, in name: String) -> Int {
        var trial = DecodedSource(ChunkSource(Array(sample)), repairs: true)
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        do throws(XMLError.Reason) {
            try trial.startConverting(from: name, displayName: name)
            while try trial.read(into: &buffer, at: 0, upTo: buffer.count) > 0 {}
        } catch {
            return 0
        }
        return trial.replaced.count
    }
}

extension DecodedSource {
    /// Starts to convert from an encoding at the next byte.
    ///
    /// - Parameter displayName: The encoding name for messages.
    private mutating func startConverting(from name: String, displayName: String) throws(XMLError.Reason) {
        guard let converter = Iconv(from: name) else { throw .unknownEncoding(displayName) }
        self.converter = converter
        convertedFrom = displayName
        state = .converting
    }

    /// Converts waiting bytes, and reads more if they are too few.
    ///
    /// Passes on everything before an invalid sequence first, so that the scanner finds faults in it first.
    private mutating func convert(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(XMLError.Reason) -> Int {
        guard let converter else { return 0 }
        precondition(count >= Self.minimumRoom)
        let limit = offset + count
        var end = offset
        while true {
            while !waitingRange.isEmpty, limit - end >= Self.minimumRoom {
                let step = converter.convert(&waiting, waitingRange, to: &buffer, end..<limit)
                if watchesControls { watch(waitingRange.prefix(step.consumed)) }
                advance(by: step.consumed)
                end += step.produced
                if waitingRange.isEmpty || step.outcome == .outputFull && end > offset { break }
                let isEnd = step.outcome == .incompleteAtEnd
                if isEnd, !sourceEnded || fault != nil { break }
                if !repairs {
                    guard end == offset else { return end - offset }
                    throw isEnd ? .unexpectedEnd(inside: "within a character") : .invalidInEncoding(convertedFrom ?? "")
                }
                // The step may have filled the output. The next step starts at the invalid sequence.
                guard limit - end >= Self.minimumRoom else { return end - offset }
                end += replace(converter, isEnd ? waitingRange.count : nil, in: &buffer, end..<limit)
            }
            if end > offset { return end - offset }
            if sourceEnded {
                guard fault == nil, !isFinished else { return try endOrFault() }
                isFinished = true
                return converter.finish(&buffer, offset..<limit)
            }
            fill(atLeast: waitingRange.count + 1)
        }
    }

    /// The minimum output space of one step in bytes: for a letter that the converter held back, and U+FFFD.
    private static let minimumRoom = 32

    /// Replaces the shortest invalid sequence by U+FFFD: `length` bytes, or, if that is `nil`, as many as probably form
    /// one character.
    ///
    /// - Returns: The number of bytes written.
    private mutating func replace(
        _ converter: Iconv, _ length: Int?, in buffer: inout [UInt8], _ range: Range<Int>
    ) -> Int {
        // A letter that the converter holds back comes first. In encodings with escape sequences, `finish` would reset
        // the state.
        let held = isEscaping ? 0 : converter.finish(&buffer, range)
        let start = range.lowerBound + held
        buffer.replaceSubrange(start..<start + 3, with: [0xEF, 0xBF, 0xBD])
        if replaced.count == 0 { replaced.first = position }
        replaced.count += 1
        advance(by: min(length ?? lengthOfBadSequence, waitingRange.count))
        return held + 3
    }

    private var isEscaping: Bool { convertedFrom?.hasPrefix("ISO-2022") ?? false }

    /// The number of bytes to skip at an invalid sequence: a UTF-16 or UTF-32 code unit, a double-byte character, or
    /// one byte.
    private var lengthOfBadSequence: Int {
        let name = convertedFrom ?? ""
        if name.hasPrefix("UTF-16") { return 2 }
        if name.hasPrefix("UTF-32") { return 4 }
        guard CharacterSetModel.encodings.contains(name), waitingRange.count >= 2 else { return 1 }
        // The second byte belongs to the first unless it may be markup (WHATWG Encoding Standard, on each decoder).
        let first = waiting[waitingRange.lowerBound]
        return 0x81...0xFE ~= first && first != 0xA0 && waiting[waitingRange.lowerBound + 1] >= 0x80 ? 2 : 1
    }

    /// Looks for bytes that are control characters in ISO-8859-1 and printable in windows-1252.
    private mutating func watch(_ range: Range<Int>) {
        guard let place = waiting[range].firstIndex(where: { 0x80...0x9F ~= $0 }) else { return }
        watchesControls = false
        notes.append(
            EncodingNote(
                kind: .windows1252, declared: declared, used: convertedFrom ?? "",
                offset: position + place - range.lowerBound))
    }
}
