import EPGCalendar
import EPGConfig
import EPGFiles
import EPGFilter
import EPGImport
import EPGLayout
import EPGModel
import EPGProgram
import EPGRefresh
import XMLTV

/// The reason why a command failed: its message on standard error, and its exit code.
struct CommandFailure: Error, Hashable, Sendable {
    let status: ExitStatus
    /// What failed, where, why, and what to do, without control characters.
    let message: String

    /// Creates a failure.
    ///
    /// Removes control characters from the message, and the user, the password and the query of each URL.
    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = GuideLocation.redactingURLs(in: message).withoutControls
    }

    /// Whether the command prints no message.
    var isSilent: Bool { message.isEmpty }
}

extension String {
    /// The text with control characters and bidirectional controls (Unicode categories Cc, Zl and Zp, and the
    /// characters of Cf that reorder text) replaced by blanks.
    var withoutControls: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.value {
                    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: " "
                    default: scalar
                    }
                }))
    }
}

extension CommandFailure {
    /// Maps an error of a module to a failure; returns `nil` for errors that ArgumentParser explains.
    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as StoreError: self.init(error)
        case let error as GuideFileError: self.init(ExitStatus(error), error.message)
        case let error as BackupError: self.init(error)
        case let error as ExceededImportLimit: self.init(error, name: nil)
        case let error as RestoreError: self.init(error)
        case let error as RefusedImport: self.init(.invalidData, "\(error)".sentence)
        case let error as RefusedPruning:
            self.init(.invalidData, "\(error)".sentence + " To remove them, run the command again with --force.")
        case let error as RefreshFailure: self.init(error.kind.exitStatus, error.explained { $0.advice }.sentence)
        case let error as UnknownSource:
            self.init(.noInput, "There is no source “\(error.name.prefix(64))”. List the sources with `epg sources`.")
        case is NoStationSelected:
            self.init(.noInput, "No station matches the selection. List the stations with `epg stations`.")
        case let error as FetchError:
            self.init(
                error.kind.exitStatus,
                [error.description, error.remedy?.advice].compactMap(\.self).joined(separator: " "))
        case let error as ZoneError: self.init(ExitStatus(error), "\(error)".sentence)
        // The message begins with a path, a variable or a key, which keeps its case.
        case let error as ConfigurationRefusal: self.init(.configuration, error.message.ended)
        case let error as FilterError: self.init(error)
        case let error as GrepUsageError: self.init(.usage, error.message)
        case let error as SearchExpressionError: self.init(.usage, "\(error)")
        case is SearchIndexMissing:
            self.init(.noInput, "The search index is missing. Run `epg import` or `epg refresh` to build it.")
        case let error as WatchRuleError: self.init(.usage, "\(error)")
        case let error as ProfileError: self.init(.usage, "\(error)")
        case let error as GuideLayoutError: self.init(.usage, "\(error)".sentence)
        default: return nil
        }
    }

    /// A guide that exceeds a limit.
    ///
    /// - Parameter name: The name of the guide, as the user gave it.
    init(_ error: ExceededImportLimit, name: String?) {
        self.init(
            .invalidData,
            (name.map { "\($0): \(error)." } ?? "\(error)".sentence)
                + " \(RefreshFailure.Remedy.raiseImportLimit(key: error.key).advice) Nothing was imported from it.")
    }

    /// A guide that cannot be imported.
    ///
    /// - Parameter name: The name of the guide, as the user gave it.
    init(_ error: GuideFileError, name: String) {
        self.init(ExitStatus(error), "\(name): \(error.message). Nothing was imported from it.")
    }
}

extension CommandFailure {
    init(_ error: StoreError) {
        let advice: String? =
            switch error {
            case .notFound(let path): "Import a guide first: epg import FILE --database \(path)"
            case .notAGuide(let path):
                "Give another file with --database, or restore a backup: epg restore BACKUP --database \(path)"
            case .newerSchema: "Update epg."
            case .olderSchema(let path, _, _): "Migrate it: epg migrate --database \(path)"
            case .tooOldSchema(let path, _, _):
                "Move it away and import the guide again: epg import FILE --database \(path)"
            case .noSpaceToMigrate: "Free disk space and try again."
            case .migrationFailed(let path, _):
                "If the disk is full or failing, free space or replace it, and try again. If the guide is damaged, "
                    + "restore a backup: epg restore BACKUP --database \(path)"
            case .busy, .refreshing: "Try again later, or wait with --wait."
            case .noPrimary: "Try again when the primary is available."
            case .full: "Free disk space and try again."
            case .damaged: "Run `epg check` for advice."
            case .notWritable(let path, _) where !FileStatus.exists(FilePath.folder(of: path)):
                "Create its folder, or give another file with --database."
            case .unfinished, .notWritable, .inaccessible: nil
            }
        self.init(ExitStatus(error), [error.description, advice].compactMap(\.self).joined(separator: " "))
    }

    private init(_ error: BackupError) {
        switch error {
        case .exists(let path):
            self.init(.cannotCreate, "\(path) already exists. Give another file, or replace it with --force.")
        case .isGuide(let path): self.init(.cannotCreate, "\(path) is the database of the guide. Give another file.")
        case .cannotWrite(let path, let detail): self.init(.inputOutput, "Cannot write a backup to \(path): \(detail).")
        case .damaged(let path, let detail):
            self.init(
                .invalidData,
                "\(path) is damaged (\(detail)), so epg made no backup. Keep the last one. Run `epg check` for advice."
            )
        }
    }

    private init(_ error: RestoreError) {
        switch error {
        case .notFound(let path): self.init(.noInput, "Cannot find the backup \(path).")
        case .badBackup(let path, let detail):
            self.init(
                .invalidData, "Cannot restore \(path): \(detail). The guide is unchanged; use another backup.")
        case .isGuide(let path):
            self.init(.cannotCreate, "\(path) is the database of the guide. Give a backup made by `epg backup`.")
        case .notReplaceable(let path, let detail):
            self.init(
                .cannotCreate, "Cannot replace \(path): \(detail). Give the database of the guide with --database.")
        case .inUse(let path):
            self.init(
                .busy,
                "Other processes are reading an old state of \(path). Try again later, or wait with --wait."
            )
        case .cannotWrite(let path, let detail):
            self.init(.inputOutput, "Cannot restore \(path): \(detail). The guide is unchanged.")
        }
    }
}

extension CommandFailure {
    /// An error that stops a filter.
    private init(_ error: FilterError) {
        switch error {
        case .unreadable(_, let fault):
            switch fault.reason {
            case .unreadable(.system): self.init(.inputOutput, "\(error).")
            case .unreadable(.tooLarge):
                self.init(.invalidData, "\(error). If you trust the guide, decompress it first.")
            case .unreadable: self.init(.invalidData, "\(error). Download the guide again.")
            default:
                self.init(.invalidData, "\(error). Repair the guide, or use `epg import`, which skips broken records.")
            }
        case .tooManyFiles, .badFileName: self.init(.invalidData, "\(error)")
        }
    }
}

extension GuideFileError {
    /// The error message with the next step, without a period.
    var message: String {
        switch reason {
        case .truncated where hasIntactPart: "\(self); use --partial to import the intact part"
        case .playlist: "\(self); import it with epg import FILE"
        case .withoutTimes: "\(self); use --force to import them nevertheless"
        default: description
        }
    }
}

extension GrepUsageError {
    /// The error message: what is wrong, and what to do.
    fileprivate var message: String {
        switch self {
        case .unknownOption(let option): "Unknown option \(option). See `epg filter grep --help`."
        case .ambiguousOption(let option, let all):
            "The option \(option) is ambiguous: \(all.joined(separator: ", ")). Give a longer prefix."
        case .missingArgument(let option, let what): "\(option) requires \(what)."
        case .argumentNotEmpty(let option): "\(option) only tests for presence. Write \(option) ''."
        case .repeatedOutput: "Duplicate option --output. Give one file."
        case .missingTestAfterNot: "--not requires a test after it, such as --not --title News."
        case .missingTestBeforeOr: "--or requires a test before it, such as --title News --or --title Weather."
        case .missingTest: "Missing test or regular expression. Write, for example, --title News, or News."
        case .badPattern(let text, let reason): "Invalid regular expression “\(text)” (\(reason))."
        case .badTime(let option, let text):
            "\(option): invalid time “\(text)”. Write now, 2026-03-29T20:00+01:00, or 20260329200000 +0100."
        case .unsupportedCode(let text):
            "--eval “\(text)”: Perl code is not supported, except 'scalar keys %$_ > 5' with any comparison and "
                + "number. Use the other tests."
        }
    }
}

extension ExitStatus {
    fileprivate init(_ error: StoreError) {
        switch error {
        case .notFound: self = .noInput
        case .notAGuide, .damaged: self = .invalidData
        case .newerSchema, .olderSchema, .tooOldSchema: self = .configuration
        case .busy, .refreshing, .noPrimary: self = .busy
        case .notWritable: self = .cannotCreate
        case .full, .unfinished, .inaccessible, .noSpaceToMigrate, .migrationFailed: self = .inputOutput
        }
    }

    fileprivate init(_ error: GuideFileError) {
        self = error.isUnreadable ? .inputOutput : .invalidData
    }

    /// An unknown name is a usage error; a missing or damaged time zone database is a configuration error.
    fileprivate init(_ error: ZoneError) {
        switch error {
        case .invalidName, .unknownName, .offset: self = .usage
        case .noDatabase, .unreadable, .damaged: self = .configuration
        }
    }
}

extension String {
    /// The text with a final period, unless it has a period or question mark.
    fileprivate var ended: String { hasSuffix(".") || hasSuffix("?") ? self : self + "." }

    /// The text with a capital first letter and a final period. It must begin with a word of ours, not with a name.
    fileprivate var sentence: String { ended.prefix(1).uppercased() + ended.dropFirst() }
}
