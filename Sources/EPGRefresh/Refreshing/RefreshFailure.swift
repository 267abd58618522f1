internal import EPGModel

/// The failure to refresh a source, as it is shown and stored.
///
/// The import throws it if it knows the exit code; its other errors count as bad content.
package struct RefreshFailure: Error, Hashable, Sendable, CustomStringConvertible {
    // Exit codes after sysexits.h (Documentation/exit-codes.md).
    /// An invalid or rejected guide (EX_DATAERR).
    package static let badContent: Int32 = 65
    /// A missing file, or an unknown source (EX_NOINPUT).
    package static let noInput: Int32 = 66
    /// A source that cannot be fetched (EX_UNAVAILABLE).
    package static let unavailable: Int32 = 69
    /// A failure of the database or the disk (EX_IOERR).
    package static let inputOutput: Int32 = 74
    /// A temporary conflict with another process (EX_TEMPFAIL).
    package static let busy: Int32 = 75
    /// Invalid settings, or rejected credentials (EX_CONFIG).
    package static let configuration: Int32 = 78

    /// The error message: what failed, where, and what to do.
    package let sentence: String
    /// The exit code of the class of this failure.
    package let exitCode: Int32
    /// Whether a retry may soon succeed.
    package let mayPass: Bool
    /// The server's `Retry-After` in seconds.
    package let retryAfter: Int64?

    /// Creates a failure.
    ///
    /// - Parameter mayPass: `nil` derives it from the exit code: unavailable sources, failing disks, and busy databases
    ///   are transient; invalid guides and settings are not.
    package init(sentence: String, exitCode: Int32, mayPass: Bool? = nil, retryAfter: Int64? = nil) {
        self.sentence = sentence
        self.exitCode = exitCode
        self.mayPass = mayPass ?? [Self.unavailable, Self.inputOutput, Self.busy].contains(exitCode)
        self.retryAfter = retryAfter
    }

    /// Converts any error.
    ///
    /// - Parameter exitCode: The exit code for errors that have none.
    init(_ error: any Error, exitCode: Int32) {
        switch error {
        case let failure as RefreshFailure: self = failure
        case let error as FetchError:
            self.init(
                sentence: error.description, exitCode: error.exitCode, mayPass: error.mayPass,
                retryAfter: error.retryAfter)
        case let refusal as RefusedImport:
            let advice =
                if case .empty = refusal {
                    "Check the source, its setting “stations”, and the clock of this machine."
                } else { "Check the source. To accept the guide as it is, run epg refresh --force." }
            self.init(sentence: "The guide was rejected: \(refusal). \(advice)", exitCode: RefreshFailure.badContent)
        case let error as ExceededImportLimit:
            self.init(
                sentence: "The guide was rejected: \(error). If you trust the source, raise import.\(error.key) in "
                    + "epg.yml.",
                exitCode: RefreshFailure.badContent)
        case let refusal as RefusedPruning:
            self.init(
                sentence: "Old airings were not removed: \(refusal). Check the clock of this machine. To remove them, "
                    + "run epg refresh --force.",
                exitCode: RefreshFailure.badContent)
        default: self.init(sentence: "\(error)", exitCode: exitCode)
        }
    }

    package var description: String { sentence }
}
