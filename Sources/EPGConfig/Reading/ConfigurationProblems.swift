/// What is wrong with settings, as far as a person wants to read it at once.
struct ConfigurationProblems {
    /// So many errors are kept.
    static let limit = 50

    /// At most ``limit`` errors: those of files by their lines, then the others.
    var errors: [ConfigurationError] {
        // Not every sort is stable, so the place in which an error came decides at last.
        kept.enumerated().sorted { left, right in
            let lines = (ConfigurationProblems.rank(left.element), ConfigurationProblems.rank(right.element))
            return lines.0 == lines.1 ? left.offset < right.offset : lines.0 < lines.1
        }.map(\.element)
    }
    /// How many errors there are, those that weren't kept too.
    private(set) var count = 0
    private var kept: [ConfigurationError] = []

    /// Counts an error; its words are made only where they are kept.
    mutating func add(_ error: @autoclosure () -> ConfigurationError) {
        count += 1
        if kept.count < ConfigurationProblems.limit { kept.append(error()) }
    }

    private static func rank(_ error: ConfigurationError) -> Int {
        error.place.path == nil ? .max : error.place.line ?? 0
    }
}
