import ArgumentParser
import EPGImport
import EPGModel

/// Imports guides and playlists one after the other, and then brings the search index up to date.
struct ImportJob {
    let guide: any GuideWriting
    let reading: SourceReading
    let options: ImportOptions
    /// What a playlist's lineup is called; `nil` calls it after the file.
    let lineup: String?
    let now: Instant

    /// Imports all guides. One that can't be read is reported, and the others go on.
    ///
    /// - Throws: The exit code of the first guide that couldn't be read; failures of the store at once.
    func run(_ inputs: GuideInputs, printer: ImportPrinter) throws {
        var firstFailure: CommandFailure?
        func report(_ failure: CommandFailure) {
            StandardError.write("epg: \(failure.sentence)\n")
            firstFailure = firstFailure ?? failure
        }
        try inputs.forEach { piece in
            do {
                try run(piece, printer)
            } catch let error as GuideFileError {
                report(CommandFailure(error, name: piece.name))
            } catch let error as ExceededImportLimit {
                report(CommandFailure(error, name: piece.name))
            }
        }
        try guide.refreshSearchIndex()
        if let firstFailure { throw ExitCode(firstFailure.code.rawValue) }
    }

    private func run(_ piece: GuideInputs.Piece, _ printer: ImportPrinter) throws {
        let importer = GuideImporter(store: guide)
        if piece.isPlaylist, var file = piece.files.first {
            file.encoding = options.encoding
            let name = lineup ?? piece.name.fileStem
            let (outcome, findings) = try importer.importLineup(
                file, named: name, limits: options.limits, now: now)
            piece.progress?.finish()
            return try printer.print(outcome, findings, of: piece.name, as: name)
        }
        let (source, state) = try reading.source(in: guide, now: now)
        let outcome = try {
            defer { piece.progress?.finish() }
            return try importer.importGuide(piece.files, as: source, options: options, now: now, state: state)
        }()
        try printer.print(outcome, of: piece.name, as: source, from: guide)
    }
}

extension String {
    /// The name of a file without its folders and without what follows the first point: `tv/channels.m3u.gz` → `channels`.
    fileprivate var fileStem: String {
        let name = split(separator: "/").last.map(String.init) ?? self
        let stem = name.prefix { $0 != "." }
        return stem.isEmpty ? name : String(stem)
    }
}
