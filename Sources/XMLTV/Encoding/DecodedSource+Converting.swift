extension DecodedSource {
    /// Converts by an encoding from the next byte on.
    ///
    /// - Parameter displayName: The name for people.
    mutating func startConverting(from name: String, displayName: String) throws(XMLError.Reason) {
        guard let converter = Iconv(from: name) else { throw .unknownEncoding(displayName) }
        self.converter = converter
        convertedFrom = displayName
        state = .converting
    }

    /// Converts what waits, and reads more where that isn't enough.
    ///
    /// What was converted before bytes that can't be is passed on first, so that a fault in it is found first.
    mutating func convert(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(XMLError.Reason) -> Int {
        guard let converter else { return 0 }
        precondition(count >= Self.roomOfCharacter)
        let limit = offset + count
        var end = offset
        while true {
            while !waitingRange.isEmpty, limit - end >= Self.roomOfCharacter {
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
                // The step may have used up the room; the next one begins where it was stuck.
                guard limit - end >= Self.roomOfCharacter else { return end - offset }
                end += replace(converter, isEnd ? waitingRange.count : nil, in: &buffer, end..<limit)
            }
            if end > offset { return end - offset }
            if sourceEnded {
                guard fault == nil, !isFinished else { return try endOrFault() }
                isFinished = true
                return converter.finish(&buffer, offset..<limit)
            }
            fill(toAtLeast: waitingRange.count + 1)
        }
    }

    /// Room for what one step may add: a letter that was held back, and U+FFFD.
    private static let roomOfCharacter = 32

    /// Writes U+FFFD for the shortest sequence that is no character: so many bytes, or as many as seem to belong
    /// together.
    ///
    /// - Returns: The number of bytes written.
    private mutating func replace(
        _ converter: Iconv, _ length: Int?, in buffer: inout [UInt8], _ range: Range<Int>
    ) -> Int {
        // A letter that is held back comes before it. Where there are escape sequences, that would end them.
        let held = isEscaping ? 0 : converter.finish(&buffer, range)
        let start = range.lowerBound + held
        buffer.replaceSubrange(start..<start + 3, with: [0xEF, 0xBF, 0xBD])
        if replaced.count == 0 { replaced.first = position }
        replaced.count += 1
        advance(by: min(length ?? lengthOfBadSequence, waitingRange.count))
        return held + 3
    }

    private var isEscaping: Bool { convertedFrom?.hasPrefix("ISO-2022") ?? false }

    /// How many bytes to leave out where conversion is stuck: a unit of UTF-16 or UTF-32, a pair, or one.
    private var lengthOfBadSequence: Int {
        let name = convertedFrom ?? ""
        if name.hasPrefix("UTF-16") { return 2 }
        if name.hasPrefix("UTF-32") { return 4 }
        guard CharacterSetModel.encodings.contains(name), waitingRange.count >= 2 else { return 1 }
        // The second byte belongs to the first unless it may be markup (WHATWG, Encoding Standard, on each decoder).
        let first = waiting[waitingRange.lowerBound]
        return 0x81...0xFE ~= first && first != 0xA0 && waiting[waitingRange.lowerBound + 1] >= 0x80 ? 2 : 1
    }

    /// Looks for bytes that are controls in ISO-8859-1 and characters in windows-1252.
    private mutating func watch(_ range: Range<Int>) {
        guard let place = waiting[range].firstIndex(where: { 0x80...0x9F ~= $0 }) else { return }
        watchesControls = false
        notes.append(
            EncodingNote(
                kind: .windows1252, declared: declared, used: convertedFrom ?? "",
                offset: position + place - range.lowerBound))
    }
}
