import EPGFiles
import EPGProgram
import EPGRender
import Glibc

/// Writes results to standard output.
enum StandardOutput {
    /// Writes all bytes.
    ///
    /// - Throws: A silent ``CommandFailure`` if the reader has closed the pipe, else
    ///   ``CommandFailure/Code/inputOutput``.
    static func write(_ bytes: [UInt8]) throws(CommandFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(STDOUT_FILENO, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            if count >= 0 {
                written += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // Another process made the terminal non-blocking: wait until it is writable.
                var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&descriptor, 1, -1)
            case EPIPE: throw CommandFailure(.success, "")
            default:
                throw CommandFailure(.inputOutput, "Cannot write to standard output: \(SystemFault.last).")
            }
        }
    }

    static func write(_ text: String) throws(CommandFailure) {
        try write(Array(text.utf8))
    }
}

/// Writes messages to standard error and ignores errors.
enum StandardError {
    static func write(_ text: String) {
        try? OpenFile.standardError.write(Array(text.utf8))
    }

    /// Writes a line with the name of the program, without control characters.
    static func report(_ message: String) { write("epg: \(message.withoutControls)\n") }
}

extension Terminal {
    /// The standard output of this process.
    ///
    /// Without a terminal, `COLUMNS` sets the width. Output has no color without a terminal, if `NO_COLOR` is not empty
    /// (https://no-color.org), or if `TERM` is `dumb`.
    static var standardOutput: Terminal { Terminal(of: STDOUT_FILENO) }

    /// The standard error of this process, by the same rules.
    static var standardError: Terminal { Terminal(of: STDERR_FILENO) }

    private init(of descriptor: Int32) {
        let isTerminal = isatty(descriptor) == 1
        let environmentColumns = Environment["COLUMNS"].flatMap { Int($0) }
        let usesColor = isTerminal && (Environment["NO_COLOR"] ?? "").isEmpty && Environment["TERM"] != "dumb"
        let columns =
            isTerminal ? Terminal.measuredColumns(of: descriptor) ?? environmentColumns ?? 80 : environmentColumns
        self.init(columns: columns.map { min(max($0, 20), 2000) }, usesColors: usesColor)
    }

    private static func measuredColumns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
