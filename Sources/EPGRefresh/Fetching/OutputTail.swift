/// The last lines of what a program writes, for people.
struct OutputTail {
    private var bytes: [UInt8] = []

    /// Bytes that are kept.
    private static let byteLimit = 4096
    /// Lines that are shown.
    private static let lineLimit = 5
    /// Characters that are shown.
    private static let characterLimit = 500

    mutating func append(_ more: some Collection<UInt8>) {
        bytes.append(contentsOf: more.suffix(OutputTail.byteLimit))
        bytes.removeFirst(max(0, bytes.count - OutputTail.byteLimit))
    }

    /// The last lines that aren't empty, as one line without control characters; ` | ` stands between them.
    var text: String {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
            line.unicodeScalars.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
                .map(String.init).joined(separator: " ")
        }
        let shown = lines.filter { !$0.isEmpty }.suffix(OutputTail.lineLimit).joined(separator: " | ")
        return shown.count > OutputTail.characterLimit ? "…\(shown.suffix(OutputTail.characterLimit))" : shown
    }
}
