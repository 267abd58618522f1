package import EPGImport
package import EPGModel

/// Imports guides and playlists into a store.
package protocol GuideImporting: Sendable {
    /// Imports the body of a request, whose bytes tell its format. Blocks the thread.
    ///
    /// - Throws: ``ImportRefusal``. The guide is unchanged then.
    func importBody(_ body: SpoolFile, as order: ImportOrder) throws -> ImportReply
}

/// The outcome of an import.
package enum ImportReply: Sendable {
    case guide(ImportOutcome, source: String)
    case lineup(LineupOutcome, name: String)
}

/// Why nothing was imported.
package enum ImportRefusal: Error, Hashable, Sendable {
    /// Another process writes to the guide.
    case busy
    /// The body is not a guide or is broken. The text is for the client.
    case refused(String)
    /// The body exceeds a limit of imports. The text is for the client.
    case tooLarge(String)
    /// A parameter is invalid: its name and what is wrong. The text is for the client.
    case badParameter(String, String)
    /// The store failed. The text is for the log.
    case failed(String)
}

/// The settings of `/api/v1/import`. ``ConnectionLimits`` sets the lowest speed of a body.
package struct ImportSettings: Sendable {
    /// The token that clients must send; `nil` or empty to disable imports over HTTP.
    package var token: [UInt8]?
    /// The maximum size of a body in bytes, before decompression (default: 512 MiB).
    package var maximumSize = 512 << 20
    /// The folder for incomplete bodies.
    package var folder = "/var/tmp"
    /// The maximum time from the arrival of a request to the end of its body (default: 15 minutes).
    package var deadline = Duration.seconds(900)

    /// Creates the default settings.
    package init() {}
}
