/// What a store keeps of a programme: the columns, and a JSON document for everything else (Documentation/epg-json.md).
///
/// The first title, sub-title and description that are nothing but a text are columns. In the document `null` stands in their
/// place, or no member at all where there is one element without attributes. A text with child elements stays in the document;
/// the column then has a copy of its text content. The first category is in the document and in its column.
package struct StoredProgramme: Hashable, Sendable {
    /// Empty where the programme has none.
    package var title: String
    package var subtitle: String?
    package var description: String?
    package var category: String?
    package var marks: AiringMarks
    /// A JSON object.
    package var document: [UInt8]

    /// A programme of columns and a document; by default one of which nothing is known.
    package init(
        title: String = "", subtitle: String? = nil, description: String? = nil, category: String? = nil,
        marks: AiringMarks = [], document: [UInt8] = Array("{}".utf8)
    ) {
        self.title = title
        self.subtitle = subtitle
        self.description = description
        self.category = category
        self.marks = marks
        self.document = document
    }
}
