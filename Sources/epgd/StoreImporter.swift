import CMemory
import EPGCalendar
import EPGHTTP
import EPGImport
import EPGModel
import EPGRefresh
import EPGServer
import XMLTV

/// Imports uploaded and previewed files into the guide.
struct StoreImporter: GuideImporting {
    let guide: any GuideStorage
    /// The limits of a guide.
    var limits = ImportLimits()
    /// Returns the current settings of derived listings.
    var derived: @Sendable () -> DerivedSettings = { DerivedSettings() }
    /// Returns the current seconds to keep airings after their stop.
    var retention: @Sendable () -> Int64 = { RefreshOptions.standardRetention }

    func importBody(
        _ body: SpoolFile, as request: ImportRequest, waiting wait: LockWait,
        isCancelled: @escaping @Sendable () -> Bool, progress: @escaping @Sendable (Int64) -> Void
    ) throws -> ImportReply {
        if let encoding = request.options.encoding, EncodingNames.canonical(encoding) == nil {
            throw ImportRefusal.badParameter(
                "encoding", "unknown encoding “\(encoding)”. Examples: \(EncodingNames.examples).")
        }
        guard request.source != Derivation.source.name else {
            throw ImportRefusal.badParameter("source", "“\(request.source)” is the source of derived listings.")
        }
        defer { cmemory_give_back() }
        do {
            return try guide.write(waiting: wait) { store in
                try importBody(
                    WatchedSource(body.source, isCancelled: isCancelled, progress: progress), as: request, into: store)
            }
        } catch {
            if isCancelled() { throw ImportRefusal.stopping }
            throw ImportRefusal(error) ?? error
        }
    }

    private func importBody(
        _ body: some ByteSource, as request: ImportRequest, into store: any GuideWriting
    ) throws -> ImportReply {
        var file = GuideFile(body, name: "request body")
        if let wanted = request.format, !wanted.fits(file.format) {
            throw ImportRefusal.refused("The body is not in the format \(wanted.rawValue). Omit format to accept any.")
        }
        let importer = GuideImporter(store: store)
        let reply: ImportReply
        if file.format == .playlist {
            file.encoding = request.options.encoding
            if request.download != nil {
                let (source, state) = try source(of: request, in: store)
                try store.save(source, now: request.now)
                let (outcome, _) = try importer.importPlaylist(
                    file, of: source, minimumShare: nil, limits: limits, now: request.now, state: state)
                reply = .lineup(outcome, name: source.name)
            } else {
                let name = request.lineup ?? request.source
                let (outcome, _) = try importer.importLineup(file, named: name, limits: limits, now: request.now)
                reply = .lineup(outcome, name: name)
            }
        } else {
            let (source, state) = try source(of: request, in: store)
            var options = request.options
            options.limits = limits
            if request.download != nil {
                // As a refresh does, so that the next one has nothing to remove.
                options.window = TimeWindow(
                    start: request.now.advanced(by: -retention()), end: Instant(secondsSince1970: .max))
                options.starts = try store.catchupHorizons(retention: retention(), now: request.now)
            }
            let outcome = try importer.importGuide(
                [file], as: source, options: options, now: request.now, state: state)
            // An import does not change the settings of a source that exists.
            if request.download != nil { try store.save(source, now: request.now) }
            reply = .guide(outcome, source: source.name)
        }
        do {
            _ = try DerivedGuide(derived(), limits: limits, now: request.now).update(store)
        } catch is ExceededImportLimit {
            // The import itself has succeeded. The next refresh reports the limit.
        }
        try store.refreshSearchIndex()
        return reply
    }

    /// Returns the source with the settings of the request, and its state after the import.
    ///
    /// After an upload to a source with a location, the state forgets the last download, so that the next refresh fetches the
    /// guide again. After a download, it is the state after a refresh, so that the next one asks for a newer guide.
    private func source(of request: ImportRequest, in store: any GuideReading) throws -> (Source, SourceState) {
        let known = try store.sourceRecords().first { $0.source.name == request.source }
        var source = known?.source ?? Source(name: request.source)
        source.shift = request.shift ?? source.shift
        guard let download = request.download else {
            source.timeZone = request.timeZone ?? source.timeZone
            return (source, SourceState(importedAt: request.now, into: known))
        }
        source.location = download.location
        source.account = request.account
        source.followsGuides = request.followsGuides
        source.timeZone = request.timeZone
        source.interval = request.interval
        var state = known?.state ?? SourceState()
        state.recordSuccess(at: download.date)
        state.lastResult = .imported
        state.entityTag = download.entityTag
        state.lastModified = download.lastModified
        // The next refresh adds the guides of the playlist.
        guard !source.followsGuides, source.account == nil else { return (source, state) }
        state.bodyHash = BodyFingerprint(of: source, body: download.hash).text
        return (source, state)
    }
}
