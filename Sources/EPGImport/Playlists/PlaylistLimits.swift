/// How much of a playlist is taken, so that no file can fill the memory.
package struct PlaylistLimits: Hashable, Sendable {
    /// Bytes of one line, and of all lines that describe one entry; what is longer is skipped with a diagnostic.
    package var lineLength = 1 << 20
    /// Entries of a list; more are an error.
    package var entries = 200_000
    /// Bytes of the whole file; more are an error.
    package var fileLength = 256 << 20
    /// Bytes that the channels of the list may take in memory; more are an error.
    package var heldBytes = 128 << 20
    /// Attributes, groups and directives of an entry, and attributes of the list, each; further ones are left out.
    package var partsOfEntry = 64
    /// Diagnostics that are kept; further ones are only counted.
    package var diagnostics = 1000

    package static let standard = PlaylistLimits()

    package init() {}
}
