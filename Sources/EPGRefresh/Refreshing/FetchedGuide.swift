package import EPGModel

/// A guide that was fetched and is to be imported.
package struct FetchedGuide: Hashable, Sendable {
    /// Whose it is, and how it is to be read.
    package let source: Source
    /// The file in which it lies until the import ends.
    package let path: String
    /// What to remember of the source, in the transaction of the import.
    package let state: SourceState
    /// Percent of what stands that it must bring; `nil` takes whatever comes. See `ImportSafeguard`.
    package let minimumShare: Int?
    /// Programmes that are over by then aren't taken, since they would be removed for their age; `nil` takes all.
    package let begin: Instant?
    /// How much it may bring.
    package let limits: ImportLimits

    /// A guide that lies in a file until it is imported; the file stays whoever's it is.
    package init(
        source: Source, path: String, state: SourceState, minimumShare: Int?, begin: Instant? = nil,
        limits: ImportLimits = ImportLimits()
    ) {
        self.source = source
        self.path = path
        self.state = state
        self.minimumShare = minimumShare
        self.begin = begin
        self.limits = limits
    }
}
