/// Writes metrics in Prometheus's text format 0.0.4.
struct MetricsText {
    enum Kind: String {
        case counter, gauge, histogram
    }

    typealias Labels = [(name: StaticString, value: String)]

    private(set) var text = ""

    /// Begins a metric, whose samples follow.
    ///
    /// - Parameter help: A sentence without line breaks and backslashes.
    mutating func begin(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Writes a metric with one sample; nothing if the value is `nil`.
    mutating func metric(_ name: StaticString, _ kind: Kind, _ help: StaticString, _ value: (some Numeric)?) {
        guard let value else { return }
        begin(name, kind, help)
        sample("\(name)", [], value)
    }

    /// Writes a metric with one sample for each element, except those whose value is `nil`.
    mutating func metric<Element, Value: Numeric>(
        _ name: StaticString, _ kind: Kind, _ help: StaticString, of elements: [Element],
        _ labels: (Element) -> Labels, _ value: (Element) -> Value?
    ) {
        begin(name, kind, help)
        for element in elements {
            if let value = value(element) { sample("\(name)", labels(element), value) }
        }
    }

    /// Writes a sample.
    mutating func sample(_ name: String, _ labels: Labels, _ value: some Numeric) {
        text += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.name)=\"\(MetricsText.escaped($0.value))\"" }
            text += "{\(pairs.joined(separator: ","))}"
        }
        text += " \(value)\n"
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
