import EPGCalendar
import EPGConfig
import EPGImport
import EPGLayout
import EPGModel
import EPGRefresh

extension CommandFailure {
    /// The failure that an error of a module means; `nil` for errors that ArgumentParser explains.
    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as StoreError: self.init(error)
        case let error as GuideFileError: self.init(Code(error), "\(error)")
        case let error as BackupError: self.init(error)
        case let error as ExceededImportLimit: self.init(error, name: nil)
        case let error as RestoreError: self.init(error)
        case let error as RefusedImport: self.init(.badContent, "\(error)".sentence)
        case let error as RefusedPruning:
            self.init(.badContent, "\(error)".sentence + " See to the clock of this machine; --force removes them.")
        case let error as RefreshFailure:
            self.init(Code(rawValue: error.exitCode) ?? .unavailable, error.sentence)
        case let error as UnknownSource: self.init(.noInput, "\(error) “epg sources” lists them.")
        case is NoStationSelected:
            self.init(.noInput, "There is no such station to write. “epg stations” lists those of the guide.")
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

extension CommandFailure {
    init(_ error: StoreError) {
        let advice: String? =
            switch error {
            case .notFound(let path): "Import one first: epg import FILE --database \(path)"
            case .notAGuide(let path):
                "Name another file with --database, or restore a backup: epg restore BACKUP --database \(path)"
            case .newerSchema: "Update epg."
            case .olderSchema(let path, _, _): "Migrate it: epg migrate --database \(path)"
            case .tooOldSchema(let path, _, _):
                "Move it away and import the guide again: epg import FILE --database \(path)"
            case .noSpaceToMigrate: "Make room and try again."
            case .migrationFailed(let path, _):
                "If its disk is full or failing, make room or repair it, and try again. If the guide is damaged, restore a "
                    + "backup: epg restore BACKUP --database \(path)"
            case .busy, .refreshing: "Try again later, or wait with --wait."
            case .full: "Make room and try again."
            case .damaged: "epg check says what to do."
            case .unfinished, .notWritable, .inaccessible: nil
            }
        self.init(Code(error), [error.description, advice].compactMap(\.self).joined(separator: " "))
    }

    private init(_ error: BackupError) {
        switch error {
        case .exists(let path):
            self.init(.cannotCreate, "\(path) exists already. Name another file, or replace it with --force.")
        case .isGuide(let path): self.init(.cannotCreate, "\(path) is the guide itself. Name another file.")
        case .cannotWrite(let path, let detail): self.init(.inputOutput, "Cannot write a backup to \(path): \(detail).")
        case .damaged(let path, let detail):
            self.init(
                .badContent,
                "\(path) is damaged (\(detail)), so epg made no backup. Keep the last one; epg check says what to do.")
        }
    }

    private init(_ error: RestoreError) {
        switch error {
        case .notFound(let path): self.init(.noInput, "There is no backup at \(path).")
        case .badBackup(let path, let detail):
            self.init(
                .badContent, "\(path) cannot be restored: \(detail). The guide is unchanged; use another backup.")
        case .isGuide(let path):
            self.init(.cannotCreate, "\(path) is the guide itself. Name a file that epg backup wrote.")
        case .notReplaceable(let path, let detail):
            self.init(
                .cannotCreate, "\(path) is not replaced: \(detail). Name the guide's database with --database.")
        case .inUse(let path):
            self.init(
                .busy,
                "Other processes are still reading an old state of \(path). Try again later, or wait for them with --wait."
            )
        case .cannotWrite(let path, let detail):
            self.init(.inputOutput, "\(path) cannot be restored: \(detail). The guide is unchanged.")
        }
    }
}

extension CommandFailure.Code {
    init(_ error: StoreError) {
        switch error {
        case .notFound: self = .noInput
        case .notAGuide, .damaged: self = .badContent
        case .newerSchema, .olderSchema, .tooOldSchema: self = .configuration
        case .busy, .refreshing: self = .busy
        case .notWritable: self = .cannotCreate
        case .full, .unfinished, .inaccessible, .noSpaceToMigrate, .migrationFailed: self = .inputOutput
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
