internal import EPGFiles

/// Runs a program whose output is a guide, such as one of XMLTV's `tv_grab_*`.
///
/// The program runs without a shell, in its own process group. Its output goes to a temporary file and is used only if
/// the program ends with exit code 0; otherwise the error contains the last lines of its standard error. If the program
/// exceeds the time or size limit, the process group is terminated.
package struct CommandFetcher: Sendable {
    private let limits: FetchLimits
    private let temporaryFolder: String?

    /// - Parameters:
    ///   - limits: The limits, of which the total time and the size apply.
    ///   - temporaryFolder: The folder for output until its import; `nil` for `TMPDIR`, or `/var/tmp` without it.
    package init(limits: FetchLimits = FetchLimits(), temporaryFolder: String? = nil) {
        self.limits = limits
        self.temporaryFolder = temporaryFolder
    }

    /// Runs the program of a request and returns its output. The program is looked up in `PATH` unless it contains a slash.
    ///
    /// - Throws: ``FetchError``, also if the program fails or writes no guide.
    package func fetch(_ request: FetchRequest, watch: FetchObserver = .none) throws(FetchError) -> FetchedBody {
        do throws(FetchError) {
            return try output(of: request, limits: limits.within(request), watch: watch)
        } catch {
            // Omit the arguments, which may contain a key.
            throw error.located(at: request.command.first ?? "")
        }
    }

    private func output(
        of request: FetchRequest, limits: FetchLimits, watch: FetchObserver
    ) throws(FetchError) -> FetchedBody {
        let sink = try BodySink(folder: temporaryFolder, byteLimit: limits.byteCount)
        let process: ChildProcess
        do throws(SystemFault) {
            process = try ChildProcess(
                request.command, environment: CommandEnvironment.variables(own: request.environment))
        } catch {
            throw FetchError(reason: .cannotRun(error.number))
        }
        var errors = OutputTail()
        let deadline = FetchClock.system.uptime() + .seconds(max(1, limits.totalSeconds))
        var failure: FetchError?
        let isComplete = process.read(toEndOfOutput: true) {
            if watch.isCancelled() { failure = failure ?? FetchError(reason: .cancelled) }
            return failure == nil && FetchClock.system.uptime() < deadline
        } errors: {
            errors.append($0)
        } output: { bytes in
            do throws(FetchError) {
                try sink.append(bytes)
            } catch {
                failure = failure ?? error
            }
            watch.progress(FetchProgress(byteCount: sink.byteCount, total: nil))
        }
        if !isComplete { process.end() }
        if let failure { throw failure }
        if let termination = isComplete ? process.finish() : .timedOut(seconds: limits.totalSeconds) {
            throw FetchError(reason: .commandFailed(termination, output: errors.text))
        }
        try sink.requireGuide()
        return sink.body()
    }
}

/// The environment of a source's program: commonly needed variables, without the secrets of other programs.
///
/// This process may have secrets in its environment: those that `epg.yml` names for other sources, and those from a
/// service manager or a shell. A source lists additional variables for its program under `environment:`.
package enum CommandEnvironment {
    /// Names of variables that programs inherit (Documentation/refreshing.md).
    package static let inheritedNames = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "TMPDIR", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE",
        "LC_COLLATE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
        "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS", "http_proxy",
        "https_proxy", "ftp_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY",
        "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
    ]

    /// Returns the variables for a program.
    ///
    /// - Parameter own: Variables of the source, which take precedence.
    package static func variables(own: [String: String]) -> [String: String] {
        var variables: [String: String] = [:]
        for name in inheritedNames {
            if let value = Environment[name] { variables[name] = value }
        }
        return variables.merging(own) { _, own in own }
    }
}

/// The last lines of a program's error output, for error messages.
struct OutputTail {
    private var bytes: [UInt8] = []

    /// Number of bytes to keep.
    private static let byteLimit = 4096
    /// Number of lines to show.
    private static let lineLimit = 5
    /// Number of characters to show.
    private static let characterLimit = 500

    mutating func append(_ more: some Collection<UInt8>) {
        bytes.append(contentsOf: more.suffix(OutputTail.byteLimit))
        bytes.removeFirst(max(0, bytes.count - OutputTail.byteLimit))
    }

    /// The last lines that are not empty, separated by ` | `, without control characters.
    var text: String {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
            line.unicodeScalars.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
                .map(String.init).joined(separator: " ")
        }
        let shown = lines.filter { !$0.isEmpty }.suffix(OutputTail.lineLimit).joined(separator: " | ")
        return shown.count > OutputTail.characterLimit ? "…\(shown.suffix(OutputTail.characterLimit))" : shown
    }
}
