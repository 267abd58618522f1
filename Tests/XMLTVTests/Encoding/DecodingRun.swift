import XMLTV

/// Reads documents with `DecodedSource` in place of the scanner. Reports invalid UTF-8 to the source, and decodes it as
/// windows-1252 if the source keeps the encoding.
struct DecodingRun {
    private(set) var text = ""
    private(set) var notes: [EncodingNote] = []
    private(set) var encoding: String?
    private(set) var fault: XMLError.Reason?
    /// The number of bytes read as windows-1252 one by one.
    private(set) var strays = 0

    var kinds: [EncodingNote.Kind] { notes.map(\.kind) }

    /// - Parameters:
    ///   - chunk: The number of bytes that arrive at a time.
    ///   - bufferSize: The number of bytes requested at a time.
    init(_ bytes: [UInt8], chunk: Int = .max, bufferSize: Int = 5000, repairs: Bool = true, encoding: String? = nil) {
        var source = DecodedSource(
            ChunkSource(bytes) { chunk }, repairs: repairs, encoding: encoding)
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: bufferSize)
        var checked = 0
        // Ask the source once per record.
        var reconsideredOrigin: Int?
        do throws(XMLError.Reason) {
            while true {
                let got = try source.read(into: &buffer, at: 0, upTo: bufferSize)
                output += buffer[..<got]
                while let place = Self.firstFault(in: output, from: &checked, isEnd: got == 0) {
                    // Records start with a tag.
                    let origin = output[..<place].lastIndex(of: UInt8(ascii: "<")) ?? 0
                    let undecided = !output[..<origin].contains { $0 >= 0x80 }
                    if origin != reconsideredOrigin, source.reconsider(output[origin...], undecided: undecided) {
                        output.removeSubrange(origin...)
                        checked = origin
                        break
                    }
                    reconsideredOrigin = origin
                    strays += 1
                    output.replaceSubrange(place...place, with: Self.windows1252(output[place]))
                }
                if got == 0, checked == output.count { break }
            }
        } catch {
            fault = error
        }
        notes = source.takeNotes()
        self.encoding = source.convertedFrom
        text = String(decoding: output, as: UTF8.self)
    }

    /// Returns the position of the first invalid UTF-8 byte. Advances `checked` to it, or to the end of complete
    /// characters.
    private static func firstFault(in output: [UInt8], from checked: inout Int, isEnd: Bool) -> Int? {
        while checked < output.count {
            guard output[checked] >= 0x80 else {
                checked += 1
                continue
            }
            var parser = Unicode.UTF8.ForwardParser()
            var rest = output[checked...].prefix(4).makeIterator()
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar): checked += scalar.count
            case .error where !isEnd && checked + 4 > output.count: return nil
            case .error, .emptyInput: return checked
            }
        }
        return nil
    }

    private static func windows1252(_ byte: UInt8) -> [UInt8] {
        IconvOracle.utf8(of: [byte], from: "WINDOWS-1252") ?? Array("\u{FFFD}".utf8)
    }
}
