import CollectionLayout
import LayoutTestSupport
import Testing

/// A case of the corpus as values of this library; see Corpus/README.md.
struct CorpusCase: CustomTestStringConvertible, Sendable {
    let name: String
    let container: LayoutContainer
    /// Makes the layout: layouts are not `Sendable`, and the arguments of tests are.
    let makeLayout: @Sendable () throws -> CompositionalLayout
    let orthogonalOffsets: [Int: Double]
    let measures: [LayoutElement: Size]
    let frames: [LayoutElement: Rect]
    let absent: [LayoutElement]
    let contentSize: Size?
    let diagnostics: [String]

    var testDescription: String { name }

    /// A case as the corpus writes it.
    ///
    /// - Parameter layout: Makes the layout of its sections: these are of one form in one file, of another in the next.
    init(
        _ json: CorpusJSON, layout: @escaping @Sendable (_ sections: [CorpusJSON]) throws -> CompositionalLayout
    ) throws {
        name = try json.member("name").string
        let sections = try json.member("sections").array
        container = LayoutContainer(
            bounds: Rect(
                origin: try json["offset"]?.point ?? .zero, size: try json.member("container").size),
            counts: ItemCounts(try sections.map { Int(try $0.member("items").number) }),
            contentInset: try json["contentInset"]?.insets ?? .zero,
            safeAreaInsets: try json["safeArea"]?.insets ?? .zero,
            layoutMargins: try json["margins"]?.insets ?? .zero,
            layoutDirection: try json["direction"]?.named() ?? .leftToRight, scale: try json["scale"]?.number ?? 1)
        makeLayout = { try layout(sections) }
        var offsets: [Int: Double] = [:]
        for (index, section) in sections.enumerated() {
            if let offset = section["orthogonalOffset"] { offsets[index] = try offset.number }
        }
        orthogonalOffsets = offsets
        measures = try json["measures"]?.byElement { try $0.size } ?? [:]
        frames = try json.member("frames").byElement { try $0.rect }
        absent = try json["absent"]?.array.map { try CorpusJSON.element($0.string) } ?? []
        contentSize = try json["contentSize"]?.size
        diagnostics = try json["diagnostics"]?.array.map { try $0.string } ?? []
    }
}

extension CorpusJSON {
    /// By the words that name an element.
    fileprivate func byElement<Value>(_ value: (CorpusJSON) throws -> Value) throws -> [LayoutElement: Value] {
        var values: [LayoutElement: Value] = [:]
        for (words, json) in try object { values[try Self.element(words)] = try value(json) }
        return values
    }
}
