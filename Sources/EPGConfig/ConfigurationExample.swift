/// A file with every setting.
package enum ConfigurationExample {
    /// YAML in which all is a comment: words on lines that begin with two number signs, settings on lines with one.
    package static var text: String { String(decoding: PackageResources.example_yml, as: UTF8.self) }

    /// The same with the settings in force: those that have a default at it.
    static var inForce: String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("#") && !line.hasPrefix("##") ? line.dropFirst() : line
        }.joined(separator: "\n")
    }
}
