internal import EPGFiles
internal import EPGModel
internal import Synchronization

/// Caches tokens, so that all refreshes and processes together log in once a day.
///
/// If the service refuses a login, and an immediate one would fail too or lock the account, the refusal is cached too.
/// Both are stored in a private file. Expirations are dates; those further in the future than possible were stored with
/// a wrong clock and are ignored.
final class SchedulesDirectTokens: Sendable {
    /// The login that a token belongs to.
    struct Key: Hashable {
        var url: String
        var username: String
        /// The SHA-1 of the password, so that a corrected password is tried immediately.
        var passwordHash: String

        /// The name of the login in the file.
        fileprivate var name: String { SHA1.hexadecimal(of: "\(url)\n\(username)\n\(passwordHash)") }
    }

    private enum State {
        case token(String)
        /// The service's error code.
        case refused(Int64)
    }

    private struct Entry {
        var state: State
        /// The uptime at which the entry expires.
        var end: Duration
    }

    private let path: String?
    /// Entries by ``Key/name``; `nil` until the file is read.
    private let entries = Mutex<[String: Entry]?>(nil)

    /// Maximum lifetime of a token or a refusal in seconds: a day.
    private static let maximumSeconds: Int64 = 86_400
    /// Maximum size of the file in bytes. Larger files are ignored.
    private static let byteLimit: Int64 = 1 << 20

    /// - Parameter path: The file; `nil` keeps tokens in memory only.
    init(path: String? = nil) {
        self.path = path
    }

    /// Returns the valid token of a login; `nil` if there is none.
    ///
    /// - Throws: ``FetchError`` if a login was refused recently, or if the file cannot be read.
    func token(for key: Key, _ clock: FetchClock) throws(FetchError) -> String? {
        let entry = try withEntries(clock) { $0[key.name] }
        guard let entry, clock.uptime() < entry.end else { return nil }
        switch entry.state {
        case .token(let text): return text
        case .refused(let code): throw FetchError(SchedulesDirectCode.refusal(code, message: ""))
        }
    }

    /// Stores a token for up to ``maximumSeconds`` seconds.
    func store(_ text: String, forSeconds seconds: Int64, _ key: Key, _ clock: FetchClock) throws(FetchError) {
        try change(clock) { $0[key.name] = Entry(state: .token(text), end: clock.uptime() + .seconds(seconds)) }
    }

    /// Removes a token that the service refused.
    func remove(_ text: String, for key: Key, _ clock: FetchClock) throws(FetchError) {
        try change(clock) { entries in
            if case .token(text)? = entries[key.name]?.state { entries[key.name] = nil }
        }
    }

    /// Stores a refusal until another login is allowed.
    func record(_ refusal: ServiceRefusal, for key: Key, _ clock: FetchClock) throws(FetchError) {
        let code = refusal.code ?? 0
        let seconds = SchedulesDirectCode.loginDelaySeconds(code)
        guard seconds > 0 else { return }
        try change(clock) { $0[key.name] = Entry(state: .refused(code), end: clock.uptime() + .seconds(seconds)) }
    }

    // MARK: - File

    private func withEntries<Result: Sendable>(
        _ clock: FetchClock, _ body: (inout [String: Entry]) -> Result
    ) throws(FetchError) -> Result {
        try FetchError.converting(cacheFile: path) { () throws(SystemFault) in
            try entries.withLock { (known) throws(SystemFault) in
                var entries = if let known { known } else { try read(clock) }
                let result = body(&entries)
                known = entries
                return result
            }
        }
    }

    private func change(
        _ clock: FetchClock, _ body: (inout [String: Entry]) -> Void
    ) throws(FetchError) {
        let entries = try withEntries(clock) { entries in
            body(&entries)
            return entries
        }
        try FetchError.converting(cacheFile: path) { () throws(SystemFault) in try write(entries, clock) }
    }

    /// Reads the file: lines `name end token TEXT` and `name end refused CODE`, with ends in seconds since 1970.
    private func read(_ clock: FetchClock) throws(SystemFault) -> [String: Entry] {
        guard let path, let body = try SchedulesDirectBody(atPath: path), body.byteCount <= Self.byteLimit
        else { return [:] }
        let text = String(decoding: try body.bytes(0..<Int(body.byteCount)), as: UTF8.self)
        var entries: [String: Entry] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 4, let end = Int64(words[1]) else { continue }
            let (seconds, overflow) = end.subtractingReportingOverflow(clock.now().secondsSince1970)
            guard !overflow, (1...Self.maximumSeconds).contains(seconds) else { continue }
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

    private func write(_ entries: [String: Entry], _ clock: FetchClock) throws(SystemFault) {
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
        try writer.write(lines.joined().utf8)
        try writer.finish()
    }
}
