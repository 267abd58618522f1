import EPGConfig
import EPGFiles
import EPGModel
import EPGServer

/// The reason why the service did not start or stopped: its message on standard error, and its exit code.
struct DaemonFailure {
    /// The exit codes, as in sysexits.h. ArgumentParser itself reports incorrect options with 64.
    enum Code: Int32 {
        /// `EX_DATAERR`: an invalid or damaged database.
        case invalidData = 65
        /// `EX_NOINPUT`: no database.
        case noInput = 66
        /// `EX_UNAVAILABLE`: the service cannot listen.
        case unavailable = 69
        /// `EX_IOERR`: a read or write error, or a full disk.
        case inputOutput = 74
        /// `EX_TEMPFAIL`: in use by another process.
        case busy = 75
        /// `EX_CONFIG`: an error in the settings, a database of another version, or too few open files.
        case configuration = 78
    }

    let code: Code
    /// What failed and what to do, with a final period and without control characters.
    let message: String

    /// Maps an error to a failure; returns `nil` for errors that ArgumentParser explains.
    init?(_ error: any Error) {
        switch error {
        case let error as ConfigurationRefusal: self.init(.configuration, "\(error)")
        case let error as ConfigurationError: self.init(.configuration, "\(error)")
        case let error as OpenFileLimit.TooLow: self.init(.configuration, "\(error)")
        case let error as ListeningFailure: self.init(.unavailable, "\(error). Choose another address with --listen")
        case let error as StoreError: self.init(error)
        default: return nil
        }
    }

    private init(_ code: Code, _ text: String) {
        self.code = code
        let plain = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
        message = plain.hasSuffix(".") ? plain : plain + "."
    }

    private init(_ error: StoreError) {
        let (code, advice): (Code, String) =
            switch error {
            case .notFound(let path): (.noInput, " Import a guide first: epg import FILE --database \(path)")
            case .notAGuide(let path): (.invalidData, " Restore a backup: epg restore BACKUP --database \(path)")
            case .damaged: (.invalidData, " Run `epg check` for advice.")
            case .newerSchema: (.configuration, " Update epgd.")
            case .olderSchema(let path, _, _): (.configuration, " Migrate it: epg migrate --database \(path)")
            case .tooOldSchema(let path, _, _):
                (.configuration, " Move it away and import the guide again: epg import FILE --database \(path)")
            case .busy, .refreshing: (.busy, " Try again later.")
            case .full, .noSpaceToMigrate: (.inputOutput, " Free disk space and try again.")
            case .unfinished, .notWritable, .inaccessible, .migrationFailed: (.inputOutput, "")
            }
        self.init(code, error.description + advice)
    }
}
