/// Settings that can't be taken, with all that is wrong with them.
package struct ConfigurationRefusal: Error, Hashable, Sendable {
    /// What is wrong, in the order of the file, then of the environment, then of the flags: at least one error, and at most
    /// ``ConfigurationProblems/limit``.
    package let errors: [ConfigurationError]
    /// How many more errors there are than are told.
    package let untold: Int

    init(_ error: ConfigurationError) {
        errors = [error]
        untold = 0
    }

    /// - Returns: `nil` where there are no problems.
    init?(_ problems: ConfigurationProblems) {
        guard problems.count > 0 else { return nil }
        errors = problems.errors
        untold = problems.count - problems.errors.count
    }
}

extension ConfigurationRefusal: CustomStringConvertible {
    /// One line: the first error, and where the others are told.
    package var description: String {
        let others = errors.count + untold - 1
        guard let first = errors.first else { return "the settings can't be taken" }
        let file = first.place.path.map { " \($0)" } ?? ""
        return others == 0 ? "\(first)" : "\(first). epg config check\(file) tells \(others) more"
    }
}
