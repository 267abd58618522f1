import EPGRender
import Glibc

/// Tells a person at a terminal how far long work has got: on standard error, on one line that vanishes at the end.
///
/// Nothing is shown where standard error is no terminal, and in the first half second.
final class Progress {
    private let name: String
    private let total: Int64?
    private let isShown: Bool
    private var done: Int64 = 0
    private var nextDrawing: Double
    private var hasDrawn = false

    /// Progress of something.
    ///
    /// - Parameter total: The number of bytes, where it is known.
    init(of name: String, total: Int64?) {
        self.name = TerminalText(name).fitted(to: 40).isolated
        self.total = total
        isShown = isatty(STDERR_FILENO) == 1
        nextDrawing = Progress.seconds + 0.5
    }

    /// Notes that more bytes are done; none means that all are.
    func advance(by bytes: Int) {
        guard isShown else { return }
        done += Int64(bytes)
        let now = Progress.seconds
        guard now >= nextDrawing || bytes == 0 && hasDrawn else { return }
        nextDrawing = now + 0.1
        hasDrawn = true
        draw(bytes == 0 ? "sorting, storing" : share)
    }

    /// Clears the line.
    func finish() {
        if hasDrawn { StandardError.write("\r\u{1B}[K") }
        hasDrawn = false
    }

    private var share: String {
        guard let total, total > 0 else { return "\(done / 1_000_000) MB" }
        let parts = Int(min(20, done * 20 / total))
        let bar = String(repeating: "━", count: parts) + String(repeating: "╌", count: 20 - parts)
        return "\(bar) \(min(100, done * 100 / total)) %"
    }

    private func draw(_ state: String) {
        StandardError.write("\r\u{1B}[Kreading \(name)  \(state)")
    }

    /// Seconds of a clock that nobody sets.
    private static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
