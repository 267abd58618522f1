import CMemory
import EPGCalendar
import EPGImport
import EPGModel
import EPGServer
import XMLTV

/// Imports request bodies into the guide.
struct StoreImporter: GuideImporting {
    let guide: any GuideStorage
    /// The limits of a guide.
    var limits = ImportLimits()
    /// Returns the current settings of derived listings.
    var derived: @Sendable () -> DerivedSettings = { DerivedSettings() }

    func importBody(
        _ body: SpoolFile, as request: ImportRequest, waiting wait: LockWait,
        progress: @escaping @Sendable (Int64) -> Void
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
                try importBody(WatchedSource(base: body.source, progress: progress), as: request, into: store)
            }
        } catch {
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
            let name = request.lineup ?? request.source
            let (outcome, _) = try importer.importLineup(file, named: name, limits: limits, now: request.now)
            reply = .lineup(outcome, name: name)
        } else {
            let (source, state) = try source(of: request, in: store)
            var options = request.options
            options.limits = limits
            let outcome = try importer.importGuide(
                [file], as: source, options: options, now: request.now, state: state)
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
    /// If the source has a location, the returned state forgets the last download, so that the next refresh fetches the
    /// guide again.
    private func source(of request: ImportRequest, in store: any GuideReading) throws -> (Source, SourceState) {
        let known = try store.sourceRecords().first { $0.source.name == request.source }
        var source = known?.source ?? Source(name: request.source)
        source.timeZone = request.timeZone ?? source.timeZone
        source.shift = request.shift ?? source.shift
        return (source, SourceState(importedAt: request.now, into: known))
    }
}

/// Bytes that report how many were read.
private struct WatchedSource<Base: ByteSource>: ByteSource {
    private var base: Base
    private let progress: @Sendable (Int64) -> Void
    private var count: Int64 = 0

    init(base: Base, progress: @escaping @Sendable (Int64) -> Void) {
        self.base = base
        self.progress = progress
    }

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo limit: Int) throws(ByteFault) -> Int {
        let readCount = try base.read(into: &buffer, at: offset, upTo: limit)
        count += Int64(readCount)
        progress(count)
        return readCount
    }
}
