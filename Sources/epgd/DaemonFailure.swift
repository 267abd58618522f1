import EPGCalendar
import EPGConfig
import EPGFiles
import EPGHTTP
import EPGImport
import EPGModel
import EPGProgram
import EPGRefresh
import EPGServer

/// The reason why the service did not start or stopped: its message on standard error, and its exit code.
struct DaemonFailure {
    let status: ExitStatus
    /// What failed and what to do, without control characters. Has a final period unless it ends with a command.
    let message: String

    /// Maps an error to a failure; returns `nil` for errors that ArgumentParser explains.
    init?(_ error: any Error) {
        switch error {
        case let error as ConfigurationRefusal: self.init(.configuration, error.message)
        case let error as ConfigurationError: self.init(.configuration, "\(error)")
        case let error as OpenFileLimit.TooLow: self.init(.configuration, "\(error)")
        case let error as ListeningFailure:
            self.init(
                .unavailable, "Cannot listen on \(error.place): \(error.reason). Choose another address with --listen")
        case let error as StoreError: self.init(error)
        default: return nil
        }
    }

    /// The message of any error, for the log.
    static func message(of error: any Error) -> String { DaemonFailure(error)?.message ?? "\(error)" }

    private init(_ status: ExitStatus, _ text: String, endsWithCommand: Bool = false) {
        self.status = status
        let plain = text.singleLine
        message = plain.hasSuffix(".") || endsWithCommand ? plain : plain + "."
    }

    private init(_ error: StoreError) {
        let (status, advice): (ExitStatus, String) =
            switch error {
            case .notFound(let path): (.noInput, " Import a guide first: epg import FILE --database \(path)")
            case .notAGuide(let path): (.invalidData, " Restore a backup: epg restore BACKUP --database \(path)")
            case .damaged: (.invalidData, " Run `epg check` for advice.")
            case .newerSchema: (.configuration, " Update epgd.")
            case .olderSchema(let path, _, _): (.configuration, " Migrate it: epg migrate --database \(path)")
            case .tooOldSchema(let path, _, _):
                (.configuration, " Move it away and import the guide again: epg import FILE --database \(path)")
            case .busy, .refreshing, .noPrimary: (.busy, " Try again later.")
            case .full, .noSpaceToMigrate: (.inputOutput, " Free disk space and try again.")
            case .unfinished, .notWritable, .inaccessible, .migrationFailed: (.inputOutput, "")
            }
        // A period after a command would become part of its last argument, which is a path.
        self.init(status, error.description + advice, endsWithCommand: true)
    }
}

extension ImportRefusal {
    /// Maps an error of an import over HTTP to a message for the client or for the log; returns `nil` for other errors.
    init?(_ error: any Error) {
        let unchanged = "The current guide is unchanged."
        switch error {
        case StoreError.busy: self = .busy
        case StoreError.noPrimary: self = .unavailable("\(error)")
        case let error as GuideFileError:
            let advice = error.hasIntactPart ? "; use partial=1 to import the intact part" : ""
            self = .refused("\(error)\(advice). \(unchanged)")
        case let error as ExceededImportLimit:
            self = .tooLarge(
                "The guide is too large: \(error). The operator can raise import.\(error.key) in epg.yml. \(unchanged)")
        case let error as ZoneError: self = .badParameter("timeZone", "\(error)")
        case let error as StoreError: self = .failed("\(error)")
        default: return nil
        }
    }
}
