package import EPGModel

/// Reads a guide as an import does, and keeps nothing but what it found.
package struct GuideValidator {
    /// Which part is looked at, and whether a document that isn't well-formed is refused.
    package var options: ImportOptions

    package init(options: ImportOptions = ImportOptions()) {
        self.options = options
        self.options.checksRules = true
    }

    /// Looks through one guide.
    ///
    /// - Parameters:
    ///   - files: The guide; more than one only where it is in JSON.
    ///   - source: How its times are to be read.
    ///   - found: Is told each finding, nearly in the order of the file.
    /// - Returns: The numbers of it.
    /// - Throws: ``GuideFileError`` where the file is no guide; what `found` throws.
    package func validate(
        _ files: [GuideFile], as source: Source = Source(name: "file"),
        found: @escaping (Diagnostic) throws -> Void
    ) throws -> ImportReport {
        let session = DiscardingSession(found)
        var decoder = GuideDecoder(
            session.takeContentIndex(), key: session.contentKey, try TimeResolver(source), options)
        try decoder.decode(files, into: session)
        return try decoder.finish(into: session)
    }
}
