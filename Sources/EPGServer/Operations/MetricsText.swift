/// Writes metrics in Prometheus's text format 0.0.4.
struct MetricsText {
    /// What a metric is.
    enum Kind: String {
        case counter, gauge, histogram
    }

    private(set) var text = ""

    /// Begins a metric; its samples follow.
    ///
    /// - Parameter help: A sentence without line breaks and backslashes.
    mutating func begin(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// A metric with one sample.
    mutating func metric(_ name: StaticString, _ kind: Kind, _ help: StaticString, _ value: some Numeric) {
        begin(name, kind, help)
        sample("\(name)", [], value)
    }

    /// A sample.
    ///
    /// - Parameter labels: Names and values; the values may hold anything.
    mutating func sample(_ name: String, _ labels: [(name: StaticString, value: String)], _ value: some Numeric) {
        text += name
        if !labels.isEmpty {
            text += "{"
            for (index, label) in labels.enumerated() {
                text += "\(index > 0 ? "," : "")\(label.name)=\""
                for scalar in label.value.unicodeScalars {
                    switch scalar {
                    case "\\": text += "\\\\"
                    case "\"": text += "\\\""
                    case "\n": text += "\\n"
                    default: text.unicodeScalars.append(scalar)
                    }
                }
                text += "\""
            }
            text += "}"
        }
        text += " \(value)\n"
    }
}
