import CTerminal
import Glibc

/// The controlling terminal of the process, in full-screen mode.
///
/// While a host is open, the terminal is in raw mode and shows the alternate screen. ``close()``, `exit`, signals and crashes
/// restore it. Signals such as SIGINT, SIGTERM and SIGHUP end the process as they do without a host, and SIGTSTP stops it.
/// ``events(waitingAtMost:orReadable:)`` reports when the process continues.
///
/// A host is used by one thread, and a process has one host at a time.
package final class TerminalHost {
    private let terminal: Int32
    private let notices: Int32
    private var parser = InputParser()
    private var writer: ScreenWriter
    /// The time at which the parser stops waiting for the rest of a sequence.
    private var parserDeadline: ContinuousClock.Instant?
    /// Whether the terminal was closed.
    private var isVanished = false
    private var isClosed = false

    /// The size of the terminal as of the last event, at most 2,000 × 1,000; 80 × 24 if unknown.
    package private(set) var size: Screen.Size
    /// The size of a cell in pixels as reported by the system; `nil` if unknown.
    private var cell: TerminalGraphics.PixelSize?
    /// Events for the next call of ``events(waitingAtMost:orReadable:)``.
    private var pending: [TerminalEvent] = []

    /// Whether the terminal reports the mouse to the program, instead of using it for its own selection.
    package var usesMouse: Bool {
        didSet { if usesMouse != oldValue { setMouseReports() } }
    }

    /// Opens the terminal and enters full-screen mode.
    ///
    /// - Parameters:
    ///   - colorDepth: The colors that the terminal supports.
    ///   - usesMouse: The initial value of ``usesMouse``.
    ///   - terminalName: The type of the terminal (`TERM`).
    /// - Throws: ``TerminalError``, without any change to the terminal.
    package init(colorDepth: ColorDepth, usesMouse: Bool, terminalName: String?) throws(TerminalError) {
        guard isatty(STDOUT_FILENO) == 1 else { throw .notATerminal }
        let name = terminalName ?? ""
        guard !["", "dumb"].contains(name) else { throw .cannotPositionCursor(terminalName: name) }
        let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .notATerminal }
        var readingEnd: Int32 = -1
        let code = cterminal_start(descriptor, &readingEnd)
        guard code == 0 else {
            Glibc.close(descriptor)
            throw .system(operation: "set up the terminal", errorNumber: code)
        }
        terminal = descriptor
        notices = readingEnd
        writer = ScreenWriter(colorDepth: colorDepth)
        (size, cell) = TerminalHost.size(of: descriptor)
        self.usesMouse = usesMouse
        setMouseReports()
        // Queries synchronized output (DECRQM), pictures, and the terminal's extensions (DA1). A terminal without DECRQM may show
        // a letter, which the first screen overwrites. GNU screen and tmux would interpret the kitty query as a title, and do not
        // forward kitty graphics.
        let query = name.hasPrefix("screen") || name.hasPrefix("tmux") ? "" : TerminalGraphics.query
        send(Array("\u{1B}[?2026$p\(query)\u{1B}[c".utf8))
        reportCell()
    }

    deinit { close() }

    /// Restores the terminal. Has no effect if the host is closed.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        cterminal_end()
        Glibc.close(terminal)
    }

    // MARK: - Events

    /// Waits for events, and returns the available ones.
    ///
    /// - Parameters:
    ///   - limit: The maximum time to wait: `nil` for no limit, zero or less for no waiting.
    ///   - descriptor: A file descriptor that also ends the wait when it becomes readable (default: -1, none).
    /// - Returns: The events in order; empty after a timeout, and sometimes before. After ``TerminalEvent/closed``, each call
    ///   immediately returns it again.
    package func events(waitingAtMost limit: Duration?, orReadable descriptor: Int32 = -1) -> [TerminalEvent] {
        guard !isVanished else { return [.closed] }
        guard pending.isEmpty else {
            defer { pending = [] }
            return pending
        }
        let remaining = parserDeadline.map { $0 - ContinuousClock.now }
        let wait = [limit, remaining].compactMap { $0 }.min()
        var polled = [
            pollfd(fd: notices, events: Int16(POLLIN), revents: 0),
            // While the process runs in the background, input belongs to the shell.
            pollfd(fd: cterminal_is_entered() == 1 ? terminal : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&polled, 3, wait.map(TerminalHost.milliseconds) ?? -1)
        var events: [TerminalEvent] = []
        // A signal that interrupted the wait may have written a notice.
        if count < 0 || polled[0].revents != 0 { events += readNotices() }
        if count > 0, polled[1].revents != 0 { events += readInput() }
        if let parserDeadline, ContinuousClock.now >= parserDeadline {
            events += record(parser.timeOut())
            self.parserDeadline = nil
        }
        return events
    }

    private func readNotices() -> [TerminalEvent] {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(notices, &buffer, buffer.count)
        guard count > 0 else { return [] }
        var events: [TerminalEvent] = []
        if buffer[..<count].contains(UInt8(CTERMINAL_CONTINUED.rawValue)) {
            writer.invalidate()
            guard cterminal_enter() == 0 else {
                isVanished = true
                return [.closed]
            }
            setMouseReports()
            events.append(.resumed)
        }
        // Even if the size is the same as before, resizing may have clipped or moved the content of the terminal.
        if buffer[..<count].contains(UInt8(CTERMINAL_RESIZED.rawValue)) { writer.invalidate() }
        let (size, cell) = TerminalHost.size(of: terminal)
        if size != self.size || cell != self.cell {
            (self.size, self.cell) = (size, cell)
            events.append(.resized(size))
            reportCell()
        }
        return events
    }

    private func readInput() -> [TerminalEvent] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(terminal, &buffer, buffer.count)
        guard count > 0 else {
            if count < 0, errno == EAGAIN || errno == EINTR { return [] }
            isVanished = true
            return [.closed]
        }
        let events = record(parser.parse(buffer[..<count]))
        parserDeadline = parser.timeout.map { ContinuousClock.now + $0 }
        return events
    }

    /// Applies the terminal's replies to the host's queries.
    private func record(_ events: [TerminalEvent]) -> [TerminalEvent] {
        for event in events {
            if case .reply(.mode(2026, let state)) = event { writer.isSynchronized = state.isUsable }
        }
        return events
    }

    // MARK: - Output

    /// Shows a screen, unless the process runs in the background.
    ///
    /// - Returns: The number of bytes written.
    @discardableResult
    package func present(_ screen: Screen) -> Int {
        guard !isVanished, cterminal_is_entered() == 1 else {
            writer.invalidate()
            return 0
        }
        let bytes = writer.bytes(for: screen)
        send(bytes)
        return bytes.count
    }

    /// Writes raw bytes, such as a picture or a query.
    package func send(_ bytes: [UInt8]) {
        var offset = 0
        while offset < bytes.count, !isVanished {
            let count = bytes[offset...].withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
            if count > 0 {
                offset += count
            } else if count < 0, errno == EAGAIN {
                var polled = pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)
                poll(&polled, 1, -1)
                isVanished = polled.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
            } else if count == 0 || errno != EINTR {
                isVanished = true
            }
        }
    }

    /// Restores the terminal and stops the process group, as Control-Z does in other programs. Returns when the process continues,
    /// or immediately if no shell can continue it. ``TerminalEvent/resumed`` follows.
    package func suspend() {
        cterminal_stop()
    }

    private func setMouseReports() {
        // Terminals without reports of drags (mode 1002) still report clicks (mode 1000).
        let reports = "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h"
        send(Array((usesMouse ? reports : reports.replacing("h", with: "l")).utf8))
    }

    // MARK: - The terminal

    /// Reports the size of a cell, or queries the terminal for it.
    private func reportCell() {
        if let cell {
            pending.append(.reply(.cellSize(cell)))
        } else {
            send(Array(TerminalGraphics.sizeQuery.utf8))
        }
    }

    /// The size of the terminal at standard output, limited like ``size``; 80 × 24 if standard output is not a terminal.
    package static var outputSize: Screen.Size { size(of: STDOUT_FILENO).size }

    private static func size(of terminal: Int32) -> (size: Screen.Size, cell: TerminalGraphics.PixelSize?) {
        var (columns, rows, width, height): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        cterminal_size(terminal, &columns, &rows, &width, &height)
        let size = Screen.Size(
            columns: columns > 0 ? min(Int(columns), 2000) : 80, rows: rows > 0 ? min(Int(rows), 1000) : 24)
        guard columns > 0, rows > 0, width >= columns, height >= rows else { return (size, nil) }
        return (size, TerminalGraphics.PixelSize(width: Int(width / columns), height: Int(height / rows)))
    }

    /// The duration in milliseconds, rounded up, at most a day.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = min(max(duration, .zero), .seconds(86_400)).components
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

/// An error that prevents full-screen mode.
package enum TerminalError: Error, Hashable, Sendable {
    /// Standard output is not a terminal, or the process has no controlling terminal.
    case notATerminal
    /// The terminal does not support cursor positioning (`TERM` is `dumb` or unset).
    case cannotPositionCursor(terminalName: String)
    /// A system call failed.
    case system(operation: String, errorNumber: Int32)
}
