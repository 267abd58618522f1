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
        case let error as StoreError: self.init(DaemonFailure.code(of: error), "\(error)")
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

    private static func code(of error: StoreError) -> Int32 {
        switch error {
        case .notFound: 66
        case .notAGuide, .damaged: 65
        case .newerSchema, .olderSchema, .tooOldSchema: 78
        case .busy, .refreshing: 75
        case .full, .unfinished, .notWritable, .inaccessible, .noSpaceToMigrate, .migrationFailed: 74
        }
    }
}
