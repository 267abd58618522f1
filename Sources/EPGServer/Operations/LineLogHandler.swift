import EPGRender
import Glibc
package import Logging

/// Writes a line for each message to standard error, as text or as JSON.
///
/// Control characters never reach the terminal: whatever a stranger put into a message, it is one line.
package struct LineLogHandler: LogHandler {
    package enum Format: Hashable, Sendable {
        /// `2026-03-29T18:00:00Z info  the message key=value`
        case text
        /// `{"time":"…","level":"info","message":"…","key":"value"}`
        case json
    }

    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let format: Format
    /// Takes a line with its line feed.
    private let write: @Sendable ([UInt8]) -> Void

    package init(
        format: Format, level: Logger.Level,
        write: @escaping @Sendable ([UInt8]) -> Void = LineLogHandler.writeToStandardError
    ) {
        self.format = format
        logLevel = level
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let given = event.metadata { all.merge(given) { $1 } }
        let pairs = all.sorted { $0.key < $1.key }.map { (key: $0.key, value: "\($0.value)") }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let line = LogLine(time: time, level: event.level, message: "\(event.message)", pairs: pairs)
        write(format == .json ? line.json : line.text)
    }

    /// One write for a line, so that lines of several threads don't mix.
    package static let writeToStandardError: @Sendable ([UInt8]) -> Void = { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
            // Nobody can be told that nobody can be told.
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
