/// The first diagnostics of a layout, each once; a layout of a million bad cells keeps a hundred of them.
public struct LayoutDiagnostics: Hashable, Sendable {
    /// Those that are kept, in the order in which they came.
    public private(set) var all: [LayoutDiagnostic] = []
    private var seen: Set<LayoutDiagnostic> = []
    /// The greatest number that is kept.
    public static let limit = 100

    /// None yet.
    public init() {}

    /// Keeps a diagnostic unless it is known; once there are ``limit``, it isn't even made.
    public mutating func add(_ diagnostic: @autoclosure () -> LayoutDiagnostic) {
        guard all.count < Self.limit else { return }
        let diagnostic = diagnostic()
        if seen.insert(diagnostic).inserted { all.append(diagnostic) }
    }

    /// The value as a length (at least 0, at most 10¹²), with a diagnostic where it isn't one.
    ///
    /// - Parameter name: What it is the length of, as the API calls it.
    public mutating func length(
        _ value: Double, _ name: @autoclosure () -> String, element: LayoutElement? = nil, section: Int? = nil
    ) -> Double {
        let length = value.asLength
        if length != value {
            add(LayoutDiagnostic(.unusableLength, element: element, section: section, detail: "\(name()) is \(value)"))
        }
        return length
    }
}
