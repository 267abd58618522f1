import EPGFiles
import EPGJSON
import EPGModel
import Glibc
import Logging

/// Writes a line for each message to standard error, as text or as JSON.
///
/// Control characters are escaped, so that a message is one line and cannot control a terminal.
struct LineLogHandler: LogHandler {
    enum Format: Hashable, Sendable {
        /// `2026-03-29T18:00:00.000Z info message key=value`
        case text
        /// `{"time":"…","level":"info","message":"…","key":"value"}`
        case json
    }

    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    private let format: Format
    /// Writes a line with its line feed.
    private let write: @Sendable ([UInt8]) -> Void

    init(
        format: Format, level: Logger.Level,
        write: @escaping @Sendable ([UInt8]) -> Void = LineLogHandler.writeToStandardError
    ) {
        self.format = format
        logLevel = level
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let given = event.metadata { all.merge(given) { $1 } }
        let pairs = all.sorted { $0.key < $1.key }.map { (key: $0.key, value: "\($0.value)") }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let sinceEpoch = Duration.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        let line = LogLine(time: sinceEpoch, level: event.level, message: "\(event.message)", pairs: pairs)
        write(format == .json ? line.json : line.text)
    }

    /// Writes a line at once, so that lines of several threads do not mix.
    static let writeToStandardError: @Sendable ([UInt8]) -> Void = { bytes in
        // Ignore a failure, because there is no other place to report it.
        try? OpenFile.standardError.write(bytes)
    }
}

/// A message in the log.
struct LogLine {
    /// The time since 1970.
    let time: Duration
    let level: Logger.Level
    let message: String
    /// Sorted by key.
    let pairs: [(key: String, value: String)]

    /// The line as text. Values with spaces, quotation marks or equals signs are quoted as in JSON.
    var text: [UInt8] {
        var text = "\(timestamp) \(level.rawValue) \(LogLine.escaped(message))"
        for (key, value) in pairs {
            let needsQuotes =
                value.isEmpty
                || value.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "=") }
            text += " \(LogLine.escaped(key))="
            if needsQuotes {
                var json = JSONWriter()
                json.write(value)
                text += json.text
            } else {
                text += LogLine.escaped(value)
            }
        }
        return Array((text + "\n").utf8)
    }

    /// The line as JSON.
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("time", timestamp)
            json.member("level", level.rawValue)
            json.member("message", message)
            for (key, value) in pairs {
                // Each name must be unique.
                let isReserved = key == "time" || key == "level" || key == "message"
                json.member(named: isReserved ? "_" + key : key, value)
            }
        }
        return json.takeBytes() + [UInt8(ascii: "\n")]
    }

    /// ISO 8601 in UTC with milliseconds.
    private var timestamp: String {
        let (seconds, attoseconds) = time.components
        let milliseconds = String(attoseconds / 1_000_000_000_000_000)
        let padding = String(repeating: "0", count: 3 - milliseconds.count)
        return Instant(secondsSince1970: seconds).iso8601.dropLast() + "." + padding + milliseconds + "Z"
    }

    /// Returns the text with control and bidirectional characters as `\u{…}`, so that it cannot control a terminal.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
