/// Writes metrics in Prometheus's text format 0.0.4.
package struct MetricsText: Sendable {
    /// How the samples of a metric relate to each other.
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    package typealias Labels = [(name: StaticString, value: String)]

    /// The metrics that were written.
    package private(set) var text = ""

    /// Begins a text without metrics.
    package init() {}

    /// Begins a metric, whose samples follow.
    ///
    /// - Parameter help: A sentence without line breaks and backslashes.
    package mutating func begin(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Writes a metric with one sample; nothing if the value is `nil`.
    package mutating func metric(_ name: StaticString, _ kind: Kind, _ help: StaticString, _ value: (some Numeric)?) {
        guard let value else { return }
        begin(name, kind, help)
        sample("\(name)", [], value)
    }

    /// Writes a metric with one sample for each element, except those whose value is `nil`.
    package mutating func metric<Element, Value: Numeric>(
        _ name: StaticString, _ kind: Kind, _ help: StaticString, of elements: [Element],
        _ labels: (Element) -> Labels, _ value: (Element) -> Value?
    ) {
        begin(name, kind, help)
        for element in elements {
            if let value = value(element) { sample("\(name)", labels(element), value) }
        }
    }

    /// Writes a histogram with one series for each element.
    ///
    /// - Parameters:
    ///   - bounds: The upper bounds of the buckets, ascending; the last bucket has none.
    ///   - values: Returns the number of values in each bucket without those in the buckets below, and the sum of all values.
    package mutating func histogram<Element>(
        _ name: StaticString, _ help: StaticString, bounds: [Double], of elements: [Element],
        _ labels: (Element) -> Labels, _ values: (Element) -> (counts: [Int], sum: Double)
    ) {
        begin(name, .histogram, help)
        for element in elements {
            let labels = labels(element)
            let (counts, sum) = values(element)
            var total = 0
            for (limit, count) in zip(bounds.map { "\($0)" } + ["+Inf"], counts) {
                total += count
                sample("\(name)_bucket", labels + [("le", limit)], total)
            }
            sample("\(name)_sum", labels, sum)
            sample("\(name)_count", labels, total)
        }
    }

    /// Writes a sample.
    package mutating func sample(_ name: String, _ labels: Labels, _ value: some Numeric) {
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
