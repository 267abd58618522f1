import ArgumentParser
import EPGImport
import EPGModel
import EPGStore

/// Imports guides one after the other, and then brings the search index up to date.
struct ImportJob {
    let guide: GuideStore
    let reading: SourceReading
    let options: ImportOptions
    let now: Instant

    /// Imports all guides. One that can't be read is reported, and the others go on.
    ///
    /// - Throws: The exit code of the first guide that couldn't be read; failures of the store at once.
    func run(_ inputs: [GuideInput], printer: ImportPrinter) throws {
        var firstFailure: CommandFailure?
        for input in inputs {
            do {
                let (outcome, source) = try importGuide(input)
                try printer.print(outcome, of: input, as: source, from: guide)
            } catch let error as GuideFileError {
                let failure = CommandFailure(error, name: input.name)
                StandardError.write("epg: \(failure.sentence)\n")
                firstFailure = firstFailure ?? failure
            }
        }
        try guide.refreshSearchIndex()
        if let firstFailure { throw ExitCode(firstFailure.code.rawValue) }
    }

    private func importGuide(_ input: GuideInput) throws -> (ImportOutcome, Source) {
        let (source, state) = try reading.source(in: guide, now: now)
        let bytes = try input.open()
        defer { bytes.progress.finish() }
        let importer = GuideImporter(store: guide)
        let outcome = try importer.importGuide(bytes, as: source, options: options, now: now, state: state)
        return (outcome, source)
    }
}
