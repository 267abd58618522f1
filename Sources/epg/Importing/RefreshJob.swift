import EPGConfig
import EPGModel
import EPGRefresh
import Logging

/// The nightly job with everything that it needs: the fetcher, the importer and a log.
struct RefreshJob {
    let guide: any GuideStorage
    let options: RefreshOptions
    /// Whether another refresh, and a process that writes now, is waited for.
    let waits: Bool
    let isVerbose: Bool
    /// Whether a terminal gets a line for each source.
    let showsProgress: Bool

    /// Refreshes.
    ///
    /// - Parameter now: The clock; it is looked at when no other refresh is at work any more, which may take hours.
    func run(now: () -> Instant) throws -> RefreshReport {
        do {
            return try guide.refreshing(waiting: waits ? .unless { Interruption.isWanted } : .never) {
                try refresh(at: now())
            }
        } catch let error as StoreError {
            // Another refresh that was waited for is no failure of this one.
            Interruption.finish()
            guard case .damaged = error else { throw error }
            // As in the middle of a refresh: 65 is for guides.
            throw CommandFailure(.inputOutput, CommandFailure(error).sentence)
        }
    }

    private func refresh(at now: Instant) throws -> RefreshReport {
        let progress = RefreshProgress(isWanted: showsProgress && !isVerbose)
        let fetcher = GuideFetcher(userAgent: "swift-epg/\(EPGCommand.version)", databasePath: guide.location)
        let refresher = Refresher(
            guide: guide, fetcher: fetcher, options: options, logger: logger,
            watch: { progress.show($0) }, isCancelled: { Interruption.isWanted },
            secret: { try $0.value(environment: ProcessEnvironment.variables) }
        ) { fetched, store in
            let intake = GuideIntake(
                now: now, watch: { progress.show($1, of: $0) }, isCancelled: { Interruption.isWanted })
            return try RefreshJob.telling { try intake.take(fetched, into: store) }
        }
        defer { progress.close() }
        return try refresher.refresh(at: now)
    }

    /// Silent unless it is to be told: what failed stands in the report.
    private var logger: Logger {
        guard isVerbose else { return Logger(label: "epg") { _ in SwiftLogNoOpLogHandler() } }
        var logger = Logger(label: "epg") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .debug
        return logger
    }

    /// Does something; errors that only this program knows become failures with exit codes.
    private static func telling(_ body: () throws -> ImportOutcome) throws -> ImportOutcome {
        do {
            return try body()
        } catch let refusal as RefusedImport {
            throw refusal
        } catch let error as ExceededImportLimit {
            throw error
        } catch let error as StoreError {
            // What is wrong with the database is no fault of the guide, so damage isn't bad content here.
            let failure = CommandFailure(error)
            throw RefreshFailure(
                sentence: failure.sentence,
                exitCode: failure.code == .busy ? RefreshFailure.busy : RefreshFailure.inputOutput)
        } catch {
            guard let failure = CommandFailure(error) else { throw error }
            // A zone that a source was given and that is gone is a matter of configuration, not of flags.
            let code = failure.code == .usage ? .configuration : failure.code
            throw RefreshFailure(sentence: failure.sentence, exitCode: code.rawValue)
        }
    }
}
