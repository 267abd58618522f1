import EPGConfig
import EPGModel
import EPGServer

/// Why the service didn't start or didn't go on: what is said on standard error, and the exit code of sysexits.h.
struct DaemonFailure {
    let code: Int32
    /// With a full stop, without control characters.
    let sentence: String

    /// - Returns: `nil` for errors that ArgumentParser explains.
    init?(_ error: any Error) {
        switch error {
        case let error as ConfigurationRefusal: self.init(78, "\(error)")
        case let error as ConfigurationError: self.init(78, "\(error)")
        case let error as OpenFileLimit.TooLow: self.init(78, "\(error)")
        case let error as ListeningFailure: self.init(69, "\(error). Choose another address with --listen")
        case let error as StoreError: self.init(error)
        default: return nil
        }
    }

    private init(_ code: Int32, _ words: String) {
        self.code = code
        let plain = String(
            String.UnicodeScalarView(
                words.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
        sentence = plain.hasSuffix(".") ? plain : plain + "."
    }

    private init(_ error: StoreError) {
        let (code, advice): (Int32, String) =
            switch error {
            case .notFound(let path): (66, " Import one first: epg import FILE --database \(path)")
            case .notAGuide(let path): (65, " Restore a backup: epg restore BACKUP --database \(path)")
            case .damaged: (65, " epg check says what to do.")
            case .newerSchema: (78, " Update epgd.")
            case .olderSchema(let path, _, _): (78, " Migrate it: epg migrate --database \(path)")
            case .tooOldSchema(let path, _, _):
                (78, " Move it away and import the guide again: epg import FILE --database \(path)")
            case .busy, .refreshing: (75, " Try again later.")
            case .full, .noSpaceToMigrate: (74, " Make room and try again.")
            case .unfinished, .notWritable, .inaccessible, .migrationFailed: (74, "")
            }
        self.init(code, error.description + advice)
    }
}
