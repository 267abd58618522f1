import EPGImport
import EPGModel
import EPGRefresh
import Logging
import XMLTV

/// The nightly job with everything that it needs: the fetcher, the importer and a log.
struct RefreshJob {
    let guide: any ScheduleWriting
    /// Seconds that airings stay after their stop.
    let retention: Int64
    let isVerbose: Bool

    func run(at now: Instant) throws -> RefreshReport {
        let refresher = Refresher(
            store: guide, fetcher: GuideFetcher(userAgent: "swift-epg/\(EPGCommand.version)"), retention: retention,
            logger: logger
        ) { [guide] source, path, state in
            try RefreshJob.importGuide(at: path, of: source, into: guide, now: now, state: state)
        }
        return try refresher.refresh(at: now)
    }

    /// Silent unless it is to be told: what failed stands in the report.
    private var logger: Logger {
        guard isVerbose else { return Logger(label: "epg") { _ in SwiftLogNoOpLogHandler() } }
        var logger = Logger(label: "epg") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .debug
        return logger
    }

    /// Imports a fetched guide; its errors become failures with exit codes.
    private static func importGuide(
        at path: String, of source: Source, into guide: any ScheduleWriting, now: Instant, state: SourceState
    ) throws -> ImportOutcome {
        do {
            let bytes = try FileSource(path: path)
            return try GuideImporter(store: guide).importGuide(bytes, as: source, now: now, state: state)
        } catch let error as GuideFileError {
            let place = GuideLocation.displayable(source.location ?? source.name)
            throw RefreshFailure(
                sentence: "\(place): \(error).", exitCode: CommandFailure.Code(error).rawValue)
        } catch let error as SystemFault {
            throw RefreshFailure(
                sentence: "The fetched guide can't be read (\(error.words)).", exitCode: RefreshFailure.inputOutput)
        } catch {
            guard let failure = CommandFailure(error) else { throw error }
            // A zone that a source was given and that is gone is a matter of configuration, not of flags.
            let code = failure.code == .usage ? .configuration : failure.code
            throw RefreshFailure(sentence: failure.sentence, exitCode: code.rawValue)
        }
    }
}
