internal import EPGCalendar
internal import EPGModel

/// The failure to refresh a source, as it is shown and stored.
///
/// The import throws it if it knows the kind; its other errors count as bad content.
package struct RefreshFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// An invalid or rejected guide.
        case badContent
        /// A missing file, or an unknown source.
        case noInput
        /// A source that cannot be fetched.
        case unavailable
        /// A failure of the database or the disk.
        case inputOutput
        /// A temporary conflict with another process.
        case busy
        /// Invalid settings, or rejected credentials.
        case configuration

        /// Whether such failures are usually transient: unavailable sources, failing disks, and busy databases are;
        /// invalid guides and settings are not.
        var isTransient: Bool {
            switch self {
            case .unavailable, .inputOutput, .busy: true
            case .badContent, .noInput, .configuration: false
            }
        }
    }

    /// A change of the command or of the settings after which a refresh may succeed. The program provides the text.
    package enum Remedy: Hashable, Sendable {
        /// Accept the guide regardless of its size.
        case acceptGuide
        /// Remove the old airings regardless of their number.
        case removeOldAirings
        /// Raise the import limit with a key; see ``ExceededImportLimit/key``.
        case raiseImportLimit(key: String)
        /// Let the source have a private address.
        case allowPrivateAddresses
        /// Give the source more time.
        case raiseTimeLimit
        /// Request the source despite the server's `Retry-After`.
        case requestNow
        /// Read the settings that define the source, or remove the source.
        case findSettings
        /// List the names of the sources.
        case listSources
    }

    /// The error message: what failed, where and why, and the advice that is not in ``remedy``.
    package private(set) var sentence: String
    /// The kind of this failure.
    package let kind: Kind
    /// A change after which a refresh may succeed; `nil` if none is known, or if the sentence contains it.
    package private(set) var remedy: Remedy?
    /// Whether a retry may soon succeed.
    package let isTransient: Bool
    /// The server's `Retry-After` in seconds.
    package let retryAfter: Int64?

    /// Creates a failure.
    ///
    /// - Parameter isTransient: `nil` derives it from the kind.
    package init(
        sentence: String, kind: Kind, remedy: Remedy? = nil, isTransient: Bool? = nil, retryAfter: Int64? = nil
    ) {
        self.sentence = sentence
        self.kind = kind
        self.remedy = remedy
        self.isTransient = isTransient ?? kind.isTransient
        self.retryAfter = retryAfter
    }

    /// Converts any error.
    ///
    /// - Parameter kind: The kind to use for an error without one.
    package init(_ error: any Error, kind: Kind) {
        switch error {
        case let failure as RefreshFailure: self = failure
        case let error as FetchError:
            self.init(
                sentence: error.description, kind: error.kind, remedy: error.remedy, isTransient: error.isTransient,
                retryAfter: error.retryAfter)
        case RefusedImport.empty:
            self.init(
                sentence: "The guide was rejected: \(error). Check the source, its selection of stations, and the "
                    + "clock of this machine.",
                kind: .badContent)
        case let refusal as RefusedImport:
            let subject = if case .fewChannels = refusal { "playlist" } else { "guide" }
            self.init(
                sentence: "The \(subject) was rejected: \(refusal). Check the source.", kind: .badContent,
                remedy: .acceptGuide)
        case let error as ExceededImportLimit:
            self.init(
                sentence: "The guide was rejected: \(error).", kind: .badContent,
                remedy: .raiseImportLimit(key: error.key))
        case let refusal as RefusedPruning:
            self.init(
                sentence: "Old airings were not removed: \(refusal). Check the clock of this machine.",
                kind: .badContent, remedy: .removeOldAirings)
        case let error as ZoneError:
            self.init(sentence: "The time zone of the source cannot be used: \(error).", kind: .configuration)
        default: self.init(sentence: "\(error)", kind: kind)
        }
    }

    /// Returns the failure with the remedy in its sentence.
    ///
    /// - Parameter advice: Returns the sentence for a remedy, which names the commands and settings of the program.
    package func explained(by advice: (Remedy) -> String) -> RefreshFailure {
        guard let remedy else { return self }
        var failure = self
        failure.sentence += " " + advice(remedy)
        failure.remedy = nil
        return failure
    }

    package var description: String { sentence }
}
