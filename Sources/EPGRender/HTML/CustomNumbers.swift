/// Custom properties of CSS that hold numbers, and nothing else: names are written in the program, values are numbers.
struct CustomNumbers: Hashable, Sendable {
    /// `--x0:16;--y0:0`
    private(set) var text = ""

    /// Adds `--x0:16` for the name `x`, the index 0 and the value 16.
    mutating func append(_ name: StaticString, index: Int? = nil, _ value: Double) {
        if !text.isEmpty { text += ";" }
        text += "--\(name)\(index.map(String.init) ?? ""):\(value.svg)"
    }
}
