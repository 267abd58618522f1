internal import EPGModel

/// Why a source couldn't be refreshed, as it is shown and remembered.
///
/// The import throws one where it knows the exit code; what else it throws counts as bad content.
package struct RefreshFailure: Error, Hashable, Sendable, CustomStringConvertible {
    // The classes of sysexits.h that a refresh knows.
    package static let badContent: Int32 = 65
    package static let noInput: Int32 = 66
    package static let unavailable: Int32 = 69
    package static let inputOutput: Int32 = 74
    package static let busy: Int32 = 75
    package static let configuration: Int32 = 78

    /// What was wrong, where, and what to do.
    package let sentence: String
    /// The exit code of the class of this failure.
    package let exitCode: Int32
    /// Whether another attempt may soon end better.
    package let mayPass: Bool
    /// Seconds for which the server asks to be left alone.
    package let retryAfter: Int64?

    /// - Parameter mayPass: `nil` for what its class says: what isn't to be had, a disk that fails, and a database that others
    ///   write may be so in a while; what is wrong with a guide or a setting stays so.
    package init(sentence: String, exitCode: Int32, mayPass: Bool? = nil, retryAfter: Int64? = nil) {
        self.sentence = sentence
        self.exitCode = exitCode
        self.mayPass = mayPass ?? [Self.unavailable, Self.inputOutput, Self.busy].contains(exitCode)
        self.retryAfter = retryAfter
    }

    /// A failure with the words of an error.
    ///
    /// - Parameter exitCode: The class of errors that don't know theirs.
    init(_ error: any Error, exitCode: Int32) {
        switch error {
        case let failure as RefreshFailure: self = failure
        case let error as FetchError:
            self.init(
                sentence: error.description, exitCode: error.exitCode, mayPass: error.mayPass,
                retryAfter: error.retryAfter)
        case let refusal as RefusedImport:
            let advice =
                if case .empty = refusal {
                    "See to the source, to its setting “stations”, and to the clock of this machine."
                } else { "See to the source; epg refresh --force takes it as it is." }
            self.init(sentence: "It wasn't taken: \(refusal). \(advice)", exitCode: RefreshFailure.badContent)
        case let error as ExceededImportLimit:
            self.init(
                sentence: "The guide was refused: \(error). If you trust the source, raise import.\(error.key) in "
                    + "epg.yml.",
                exitCode: RefreshFailure.badContent)
        case let refusal as RefusedPruning:
            self.init(
                sentence: "What is old wasn't removed: \(refusal). See to the clock of this machine; "
                    + "epg refresh --force removes it.",
                exitCode: RefreshFailure.badContent)
        default: self.init(sentence: "\(error)", exitCode: exitCode)
        }
    }

    package var description: String { sentence }
}
