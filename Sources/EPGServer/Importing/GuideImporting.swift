package import EPGImport
package import EPGModel

/// Takes guides and playlists in; who composes the service says where they are stored.
package protocol GuideImporting: Sendable {
    /// Imports what a client sent, whatever it is by its bytes. Blocks the thread until the guide stands, or doesn't.
    ///
    /// - Throws: ``ImportRefusal``; the guide then is as it was.
    func take(_ body: SpoolFile, as order: ImportOrder) throws -> ImportReply
}

/// How a guide is to be imported.
package struct ImportOrder: Sendable {
    /// Whose listings they are.
    package var source: String
    /// What the bytes must be; `nil` for whatever they are.
    package var format: ImportFormat?
    /// What a playlist's lineup is called; `nil` calls it after the source.
    package var lineup: String?
    /// The zone of times that name none; `nil` for what the source was set up with.
    package var timeZone: String?
    /// Seconds to add to all times; `nil` for what the source was set up with.
    package var shift: Int64?
    /// How a guide is read: the window, the stations, the encoding, and what of files that are broken.
    package var options: ImportOptions
    package var now: Instant

    package init(source: String, now: Instant) {
        self.source = source
        self.now = now
        options = ImportOptions()
    }
}

/// What a client says that it sends.
package enum ImportFormat: String, CaseIterable, Sendable {
    case xmltv, json, m3u
}

/// What an import did.
package enum ImportReply: Sendable {
    case guide(ImportOutcome, source: String)
    case lineup(LineupOutcome, name: String)
}

/// Why nothing was imported, in a sentence for the client.
package enum ImportRefusal: Error, Hashable, Sendable {
    /// Somebody else is writing.
    case busy
    /// What was sent is no guide, or a broken one.
    case refused(String)
    /// What was sent exceeds a limit of imports.
    case tooLarge(String)
    /// A parameter can't be taken: its name and why.
    case badParameter(String, String)
    /// The store can't take it in; the reason is for the log.
    case failed(String)
}
