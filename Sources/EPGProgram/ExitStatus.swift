package import EPGRefresh

/// The exit codes of `epg` and `epgd`, from sysexits.h; see `Documentation/exit-codes.md`.
package enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
    /// Success. Also when the reader of the output closed the pipe.
    case success = 0
    /// An invalid option or argument. ArgumentParser uses it as well.
    case usage = 64
    /// An invalid or rejected guide, or a damaged database.
    case invalidData = 65
    /// A file, station, airing or source that does not exist.
    case noInput = 66
    /// An unavailable server, command or address; also failures of several kinds.
    case unavailable = 69
    /// A file or folder that cannot be created.
    case cannotCreate = 73
    /// A read or write error, or a full disk.
    case inputOutput = 74
    /// In use by another process.
    case busy = 75
    /// An error in the settings, or in the configuration of the system.
    case configuration = 78

    /// The name in sysexits.h; `nil` for success.
    package var name: String? {
        switch self {
        case .success: nil
        case .usage: "EX_USAGE"
        case .invalidData: "EX_DATAERR"
        case .noInput: "EX_NOINPUT"
        case .unavailable: "EX_UNAVAILABLE"
        case .cannotCreate: "EX_CANTCREAT"
        case .inputOutput: "EX_IOERR"
        case .busy: "EX_TEMPFAIL"
        case .configuration: "EX_CONFIG"
        }
    }

    /// The meaning in two or three words.
    private var meaning: String {
        switch self {
        case .success: "success"
        case .usage: "usage error"
        case .invalidData: "invalid data"
        case .noInput: "input not found"
        case .unavailable: "service unavailable"
        case .cannotCreate: "cannot create output"
        case .inputOutput: "I/O error"
        case .busy: "in use by another process"
        case .configuration: "configuration error"
        }
    }

    /// All codes with their meanings, for the help: `0 success, 64 usage error, …`.
    package static let summary = allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ", ")
}

extension RefreshFailure.Kind {
    /// The exit code for a failure of this kind.
    package var exitStatus: ExitStatus {
        switch self {
        case .badContent: .invalidData
        case .noInput: .noInput
        case .unavailable: .unavailable
        case .inputOutput: .inputOutput
        case .busy: .busy
        case .configuration: .configuration
        }
    }
}

extension RefreshReport {
    /// The exit code of a refresh: 0 if nothing failed.
    package var exitStatus: ExitStatus { failureKind?.exitStatus ?? .success }
}
