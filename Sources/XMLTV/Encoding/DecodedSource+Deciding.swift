extension DecodedSource {
    /// So many bytes from the first one beyond ASCII on are looked at before an encoding is decided on, and up to eight
    /// times as many where fewer than ``fewBytes`` of them are beyond ASCII.
    private static let lookAhead = 64 << 10
    private static let fewBytes = 64

    /// Reads the first bytes and decides what they show.
    mutating func detect() throws(XMLError.Reason) {
        fill(toAtLeast: 1024)
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

    /// Decides whether a declared encoding is true, at the first byte beyond ASCII.
    ///
    /// UTF-8 wins where the bytes are UTF-8, and are none of the declared encoding or too many to be both by chance.
    /// Where many of the characters are none of it, the likeliest encoding wins, which it may well be itself.
    mutating func decide(on encoding: NamedEncoding) {
        let sample = sampleOfWaiting()
        let evidence = UTF8Evidence(sample, isCut: !endsDocument(sample))
        let faults = faults(of: sample, in: encoding.name)
        let isChance = encoding.form == .other && faults == 0 && evidence.pairs + 2 * evidence.longer < 4
        if evidence.isUTF8, !isChance {
            note(.contradicted, used: "UTF-8", at: position)
            state = .passing
            return
        }
        watchesControls = encoding.isLatin1
        let beyond = sample.count(where: { $0 >= 0x80 })
        // The guess weighs the faults against what else the text could be, unless it doesn't know the encoding.
        let isKnown = EncodingGuess.names.contains(encoding.name)
        let isContradicted = beyond >= 16 && faults >= 2 && faults * (isKnown ? 200 : 10) > beyond
        let name = isContradicted ? EncodingGuess.best(for: sample) : encoding.name
        switchTo(name, isContradicted && name != encoding.name ? .contradicted : nil, at: position)
    }

    /// Decides again, where the scanner has met bytes that are no UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: What was passed on last, up to the last byte of it. On `true` they are taken back and come once more,
    ///     converted.
    ///   - undecided: Whether nothing beyond ASCII has come before them. Where something has, the document has been
    ///     UTF-8 so far, and much must speak against that.
    /// - Returns: Whether the document goes on in another encoding. `false` means that the bytes are UTF-8 with strays
    ///   among them, or so few that reading each as windows-1252 does as well.
    /// - Complexity: O(bytes).
    package mutating func reconsider(_ bytes: ArraySlice<UInt8>, undecided: Bool) -> Bool {
        guard repairs, forced == nil, case .passing = state else { return false }
        // What follows is looked at too, so that it doesn't matter where a chunk ended.
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
            // The C library doesn't know it after all: the bytes pass as they are.
            state = .passing
            note(.unknownName, used: "UTF-8", at: offset)
            return false
        }
        if let kind { note(kind, used: name, at: offset) }
        return true
    }

    private mutating func note(_ kind: EncodingNote.Kind, used: String, at offset: Int) {
        notes.append(EncodingNote(kind: kind, declared: declared, used: used, offset: offset))
    }

    // MARK: - Looking ahead

    /// What waits, as far as it is looked at, after reading as much of it as there is.
    private mutating func sampleOfWaiting() -> ArraySlice<UInt8> {
        var length = Self.lookAhead
        while true {
            fill(toAtLeast: length)
            let sample = waiting[waitingRange].prefix(length)
            let isEnough = sample.count < length || length >= Self.lookAhead * 8
            if isEnough || sample.count(where: { $0 >= 0x80 }) >= Self.fewBytes { return sample }
            length *= 2
        }
    }

    /// Whether a sample of what waits is all that is left of the document.
    private func endsDocument(_ sample: ArraySlice<UInt8>) -> Bool {
        sourceEnded && sample.count == waitingRange.count
    }

    /// How many sequences of a sample are no characters of an encoding.
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
