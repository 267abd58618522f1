import CMemory
import EPGCalendar
import EPGImport
import EPGModel
import EPGServer
import XMLTV

/// Imports what a client sent into a guide.
struct StoreImporter: GuideImporting {
    let guide: any GuideStorage
    /// How much a guide may bring.
    var limits = ImportLimits()

    func take(_ body: SpoolFile, as order: ImportOrder) throws -> ImportReply {
        if let encoding = order.options.encoding, EncodingNames.canonical(encoding) == nil {
            throw ImportRefusal.badParameter(
                "encoding", "there is no encoding “\(encoding)”. Known are \(EncodingNames.usual).")
        }
        defer { cmemory_give_back() }
        do {
            return try guide.write { try take(body, as: order, into: $0) }
        } catch StoreError.busy {
            throw ImportRefusal.busy
        } catch let error as GuideFileError {
            throw ImportRefusal.refused(
                "\(error.description(offering: "partial=1")). The guide that stood is unchanged.")
        } catch let error as ExceededImportLimit {
            throw ImportRefusal.tooLarge(
                "The guide was refused: \(error). The operator can raise import.\(error.key) in epg.yml. "
                    + "The current guide is unchanged.")
        } catch let error as ZoneError {
            throw ImportRefusal.badParameter("timeZone", "\(error)")
        } catch let error as StoreError {
            throw ImportRefusal.failed("\(error)")
        }
    }

    private func take(_ body: SpoolFile, as order: ImportOrder, into store: any GuideWriting) throws -> ImportReply {
        var file = GuideFile(SpoolSource(body), name: "request body")
        if let wanted = order.format, !wanted.fits(file.format) {
            throw ImportRefusal.refused("The body isn't \(wanted.rawValue), by its first bytes.")
        }
        let importer = GuideImporter(store: store)
        let reply: ImportReply
        if file.format == .playlist {
            file.encoding = order.options.encoding
            let name = order.lineup ?? order.source
            let (outcome, _) = try importer.importLineup(file, named: name, limits: limits, now: order.now)
            reply = .lineup(outcome, name: name)
        } else {
            let (source, state) = try source(of: order, in: store)
            var options = order.options
            options.limits = limits
            let outcome = try importer.importGuide(
                [file], as: source, options: options, now: order.now, state: state)
            reply = .guide(outcome, source: source.name)
        }
        try store.refreshSearchIndex()
        return reply
    }

    /// The source as it was set up, but for what the order says, and what is to be remembered of it.
    ///
    /// What stands of a source that is fetched is then no longer what was fetched last, so the next refresh has to fetch it
    /// anew.
    private func source(of order: ImportOrder, in store: any GuideReading) throws -> (Source, SourceState) {
        let known = try store.sourceRecords().first { $0.source.name == order.source }
        var source = known?.source ?? Source(name: order.source)
        source.timeZone = order.timeZone ?? source.timeZone
        source.shift = order.shift ?? source.shift
        var state = SourceState()
        if let known, source.location != nil {
            state = known.state
            state.entityTag = nil
            state.lastModified = nil
            state.bodyHash = nil
        } else {
            state.lastAttempt = order.now
            state.lastSuccess = order.now
        }
        return (source, state)
    }
}

/// The bytes of a spooled file, from the first one on.
private struct SpoolSource: ByteSource {
    private let file: SpoolFile
    private var place = 0

    init(_ file: SpoolFile) {
        self.file = file
    }

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        let start = place
        let outcome = buffer.withUnsafeMutableBytes { room -> Result<Int, SpoolError> in
            let target = UnsafeMutableRawBufferPointer(rebasing: room[offset..<offset + count])
            return Result { () throws(SpoolError) in try file.read(into: target, from: start) }
        }
        switch outcome {
        case .success(let got):
            place += got
            return got
        case .failure(.system(let number)): throw .system(SystemFault(number: number))
        case .failure(.noRoom): throw .cutOff(format: "body")
        }
    }
}

extension ImportFormat {
    /// Whether bytes that look like a format may be this one.
    fileprivate func fits(_ format: GuideFormat) -> Bool {
        switch self {
        case .xmltv: format == .xmltv
        case .json: format == .json
        case .m3u: format == .playlist
        }
    }
}
