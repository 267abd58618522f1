internal import EPGModel
internal import Synchronization

/// The tokens that are held, so that there is one log-in a day, however often and by how many processes is refreshed.
///
/// Where the service refused a log-in for a reason that another one makes worse, it isn't asked again for a while. Both are
/// kept in a file that nobody else can read. It tells ends by the date; one that lies further ahead than any can was noted
/// under a wrong clock and doesn't count.
final class SchedulesDirectTokens: Sendable {
    /// Whose token it is.
    struct Key: Hashable {
        var address: String
        var username: String
        /// The SHA-1 of the password: a corrected one is tried at once.
        var passwordHash: String

        /// What stands for it in the file.
        fileprivate var name: String { SHA1.hexadecimal("\(address)\n\(username)\n\(passwordHash)") }
    }

    private enum State {
        case token(String)
        /// The service's number for why there is none.
        case refused(Int64)
    }

    private struct Entry {
        var state: State
        /// The uptime from which on it doesn't count any more.
        var end: Duration
    }

    private let path: String?
    /// By ``Key/name``; `nil` until the file was read.
    private let entries = Mutex<[String: Entry]?>(nil)

    /// The longest time for which a token or a refusal counts: a day.
    static let longestSeconds: Int64 = 86_400
    /// Longer files aren't ours.
    private static let byteLimit: Int64 = 1 << 20

    /// - Parameter path: The file; `nil` keeps them for this process alone.
    init(path: String? = nil) {
        self.path = path
    }

    /// The token that holds; `nil` where one must be asked for.
    ///
    /// - Throws: ``SchedulesDirectTrouble`` where it mustn't be asked for yet, or where the file can't be read.
    func token(for key: Key, _ clock: FetchClock) throws(SchedulesDirectTrouble) -> String? {
        let entry = try withEntries(clock) { $0[key.name] }
        guard let entry, clock.uptime() < entry.end else { return nil }
        switch entry.state {
        case .token(let text): return text
        case .refused(let code): throw SchedulesDirectTrouble(SchedulesDirectCode.refusal(code, message: ""))
        }
    }

    /// Keeps a token for so many seconds, at most ``longestSeconds``.
    func keep(_ text: String, forSeconds seconds: Int64, _ key: Key, _ clock: FetchClock) throws(SchedulesDirectTrouble)
    {
        try change(clock) { $0[key.name] = Entry(state: .token(text), end: clock.uptime() + .seconds(seconds)) }
    }

    /// Lets go of a token that the service doesn't take any more.
    func forget(_ text: String, for key: Key, _ clock: FetchClock) throws(SchedulesDirectTrouble) {
        try change(clock) { entries in
            if case .token(text)? = entries[key.name]?.state { entries[key.name] = nil }
        }
    }

    /// Remembers a refusal for as long as the service isn't to be asked again.
    func note(_ refusal: ServiceRefusal, for key: Key, _ clock: FetchClock) throws(SchedulesDirectTrouble) {
        let code = refusal.code ?? 0
        let seconds = SchedulesDirectCode.holdSeconds(code)
        guard seconds > 0 else { return }
        try change(clock) { $0[key.name] = Entry(state: .refused(code), end: clock.uptime() + .seconds(seconds)) }
    }

    // MARK: - The file

    private func withEntries<Answer: Sendable>(
        _ clock: FetchClock, _ body: (inout [String: Entry]) -> Answer
    ) throws(SchedulesDirectTrouble) -> Answer {
        do throws(SystemFailure) {
            return try entries.withLock { (known) throws(SystemFailure) in
                var entries = if let known { known } else { try read(clock) }
                let answer = body(&entries)
                known = entries
                return answer
            }
        } catch {
            throw SchedulesDirectTrouble(.keptFile(path: path ?? "", error.code))
        }
    }

    private func change(
        _ clock: FetchClock, _ body: (inout [String: Entry]) -> Void
    ) throws(SchedulesDirectTrouble) {
        let entries = try withEntries(clock) { entries in
            body(&entries)
            return entries
        }
        do throws(SystemFailure) {
            try write(entries, clock)
        } catch {
            throw SchedulesDirectTrouble(.keptFile(path: path ?? "", error.code))
        }
    }

    /// Lines `name end token TEXT` and `name end refused CODE`; ends are seconds since 1970.
    private func read(_ clock: FetchClock) throws(SystemFailure) -> [String: Entry] {
        guard let path, let body = try SchedulesDirectBody(atPath: path), body.byteCount <= Self.byteLimit
        else { return [:] }
        let text = String(decoding: try body.bytes(0..<Int(body.byteCount)), as: UTF8.self)
        var entries: [String: Entry] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 4, let end = Int64(words[1]) else { continue }
            let (seconds, overflow) = end.subtractingReportingOverflow(clock.now().secondsSince1970)
            guard !overflow, (1...Self.longestSeconds).contains(seconds) else { continue }
            let state: State? =
                switch words[2] {
                case "token": .token(words[3])
                case "refused": Int64(words[3]).map { .refused($0) }
                default: nil
                }
            if let state { entries[words[0]] = Entry(state: state, end: clock.uptime() + .seconds(seconds)) }
        }
        return entries
    }

    private func write(_ entries: [String: Entry], _ clock: FetchClock) throws(SystemFailure) {
        guard let path else { return }
        let (now, uptime) = (clock.now().secondsSince1970, clock.uptime())
        let lines = entries.sorted { $0.key < $1.key }.filter { $0.value.end > uptime }.map { name, entry in
            let end = now + (entry.end - uptime).components.seconds
            return switch entry.state {
            case .token(let text): "\(name) \(end) token \(text)\n"
            case .refused(let code): "\(name) \(end) refused \(code)\n"
            }
        }
        let writer = try SchedulesDirectWriter(replacing: path)
        do throws(SystemFailure) {
            try writer.write(Array(lines.joined().utf8))
            try writer.finish()
        } catch {
            writer.discard()
            throw error
        }
    }
}
