import EPGJSON
import EPGModel
import EPGRender
import Glibc
import Logging

/// A message of the log.
struct LogLine {
    let time: timespec
    let level: Logger.Level
    let message: String
    /// Sorted by key.
    let pairs: [(key: String, value: String)]

    /// For people: values with blanks or quotation marks in them are quoted as in JSON.
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

    /// For programs.
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("time", timestamp)
            json.member("level", level.rawValue)
            json.member("message", message)
            for (key, value) in pairs {
                // The line's own members can't be given twice.
                let isOwn = key == "time" || key == "level" || key == "message"
                json.member(named: isOwn ? "_" + key : key, value)
            }
        }
        return json.takeBytes() + [UInt8(ascii: "\n")]
    }

    /// ISO 8601 in UTC with milliseconds.
    private var timestamp: String {
        let milliseconds = String(time.tv_nsec / 1_000_000)
        let padding = String(repeating: "0", count: 3 - milliseconds.count)
        return Instant(secondsSince1970: Int64(time.tv_sec)).iso8601.dropLast() + "." + padding + milliseconds + "Z"
    }

    /// A text in which a terminal obeys nothing: control and bidirectional characters stand as `\u{…}`.
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
