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

    func importBody(_ body: SpoolFile, as order: ImportOrder) throws -> ImportReply {
        if let encoding = order.options.encoding, EncodingNames.canonical(encoding) == nil {
            throw ImportRefusal.badParameter(
                "encoding", "unknown encoding “\(encoding)”. Examples: \(EncodingNames.usual).")
        }
        defer { cmemory_give_back() }
        do {
            return try guide.write { try importBody(body, as: order, into: $0) }
        } catch StoreError.busy {
            throw ImportRefusal.busy
        } catch let error as GuideFileError {
            throw ImportRefusal.refused(
                "\(error.description(offering: "partial=1")). The current guide is unchanged.")
        } catch let error as ExceededImportLimit {
            throw ImportRefusal.tooLarge(
                "The guide is too large: \(error). The operator can raise import.\(error.key) in epg.yml. "
                    + "The current guide is unchanged.")
        } catch let error as ZoneError {
            throw ImportRefusal.badParameter("timeZone", "\(error)")
        } catch let error as StoreError {
            throw ImportRefusal.failed("\(error)")
        }
    }

    private func importBody(
        _ body: SpoolFile, as order: ImportOrder, into store: any GuideWriting
    ) throws -> ImportReply {
        var file = GuideFile(SpoolSource(body), name: "request body")
        if let wanted = order.format, !wanted.fits(file.format) {
            throw ImportRefusal.refused("The body is not in the format \(wanted.rawValue). Omit format to accept any.")
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

    /// Returns the source with the settings of the order, and its state after the import.
    ///
    /// If the source has a location, the returned state forgets the last download, so that the next refresh fetches the
    /// guide again.
    private func source(of order: ImportOrder, in store: any GuideReading) throws -> (Source, SourceState) {
        let known = try store.sourceRecords().first { $0.source.name == order.source }
        var source = known?.source ?? Source(name: order.source)
        source.timeZone = order.timeZone ?? source.timeZone
        source.shift = order.shift ?? source.shift
        return (source, SourceState(importedAt: order.now, into: known))
    }
}

/// The bytes of a spool file.
private struct SpoolSource: ByteSource {
    private let file: SpoolFile
    private var position = 0

    init(_ file: SpoolFile) {
        self.file = file
    }

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        let start = position
        let outcome = buffer.withUnsafeMutableBytes { room -> Result<Int, SpoolError> in
            let target = UnsafeMutableRawBufferPointer(rebasing: room[offset..<offset + count])
            return Result { () throws(SpoolError) in try file.read(into: target, from: start) }
        }
        switch outcome {
        case .success(let readCount):
            position += readCount
            return readCount
        case .failure(.system(let fault)): throw .system(fault)
        case .failure(.noRoom): throw .cutOff(format: "body")
        }
    }
}
