import EPGCalendar
import EPGConfig
import EPGImport
import EPGLayout
import EPGModel
import EPGRefresh
import EPGStore

extension CommandFailure {
    /// The failure that an error of a module means; `nil` for errors that ArgumentParser explains.
    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as StoreError: self.init(Code(error), "\(error)")
        case let error as GuideFileError: self.init(Code(error), "\(error)")
        case let error as BackupError: self.init(Code(error), "\(error)")
        case let error as ExceededImportLimit: self.init(error, name: nil)
        case let error as RestoreError: self.init(Code(error), "\(error)")
        case let error as RefusedImport: self.init(.badContent, "\(error)".sentence)
        case let error as RefusedPruning:
            self.init(.badContent, "\(error)".sentence + " See to the clock of this machine; --force removes them.")
        case let error as RefreshFailure:
            self.init(Code(rawValue: error.exitCode) ?? .unavailable, error.sentence)
        case let error as UnknownSource: self.init(.noInput, "\(error)")
        case let error as FetchError: self.init(Code(rawValue: error.exitCode) ?? .unavailable, "\(error)")
        case let error as ZoneError: self.init(Code(error), "\(error)".sentence)
        case let error as ConfigurationRefusal: self.init(.configuration, "\(error).")
        case let error as SearchExpressionError: self.init(.usage, "\(error)")
        case is SearchIndexMissing:
            self.init(.noInput, "The search index is missing. epg import and epg refresh build it.")
        case let error as GuideLayoutError: self.init(.usage, "\(error)".sentence)
        default: return nil
        }
    }

    /// A guide that brings too much, by the name that the person gave it.
    init(_ error: ExceededImportLimit, name: String?) {
        self.init(
            .badContent,
            (name.map { "\($0): \(error)." } ?? "\(error)".sentence)
                + " If you trust the source, raise import.\(error.key) in epg.yml. The current guide is unchanged.")
    }

    /// A guide that can't be imported, by the name that the person gave it.
    init(_ error: GuideFileError, name: String) {
        self.init(
            Code(error), "\(name): \(error.description(offering: "--partial")). The guide that stood is unchanged.")
    }
}

extension CommandFailure.Code {
    init(_ error: StoreError) {
        switch error {
        case .notFound: self = .noInput
        case .notAGuide, .damaged: self = .badContent
        case .newerSchema, .olderSchema: self = .configuration
        case .busy, .refreshing: self = .busy
        case .full, .unfinished, .inaccessible: self = .inputOutput
        }
    }

    fileprivate init(_ error: BackupError) {
        switch error {
        case .exists, .isGuide: self = .cannotCreate
        case .cannotWrite: self = .inputOutput
        case .damaged: self = .badContent
        }
    }

    fileprivate init(_ error: RestoreError) {
        switch error {
        case .notFound: self = .noInput
        case .badBackup: self = .badContent
        case .isGuide, .notReplaceable: self = .cannotCreate
        case .inUse: self = .busy
        case .cannotWrite: self = .inputOutput
        }
    }

    init(_ error: GuideFileError) {
        self = error.isUnreadable ? .inputOutput : .badContent
    }

    /// A wrong name is a wrong flag; a missing or damaged database of zones is the machine's.
    fileprivate init(_ error: ZoneError) {
        switch error {
        case .invalidName, .unknownName: self = .usage
        case .noDatabase, .unreadable, .damaged: self = .configuration
        }
    }
}

extension String {
    /// The text with a capital letter at its start and a full stop at its end.
    fileprivate var sentence: String {
        let ended = hasSuffix(".") || hasSuffix("?") ? self : self + "."
        return ended.prefix(1).uppercased() + ended.dropFirst()
    }
}
