/// New contents on their way to the store: many rows over two runs of bytes.
public struct ContentBatch: Sendable {
    /// A range of ``texts`` or ``documents``, or none.
    package struct Field: Sendable {
        /// A field that the feed doesn't have, unlike an empty one.
        package static let absent = Field(offset: 0, count: -1)

        package var offset: Int32
        package var count: Int32

        /// - Precondition: Both numbers fit into 32 bits.
        package init(offset: Int, count: Int) {
            self.offset = Int32(offset)
            self.count = Int32(count)
        }

        package var isAbsent: Bool { count < 0 }
    }

    /// A programme that the store doesn't know yet.
    package struct ProgrammeRow: Sendable {
        /// Its number in the store.
        package var id: Int64
        /// By which later imports recognize it.
        package var digest: ProgrammeDigest
        /// The first one, in ``texts``, as are the next three; empty where there is none, and absent only until it is set.
        package var title = Field.absent
        package var subtitle = Field.absent
        package var description = Field.absent
        package var category = Field.absent
        package var marks: AiringMarks = []
        /// The JSON of what no column carries, in ``documents``.
        package var document = Field.absent

        package init(id: Int64, digest: ProgrammeDigest) {
            self.id = id
            self.digest = digest
        }
    }

    /// The bytes of titles, sub-titles, descriptions and categories. The search index needs only these, and keeps them for longer.
    package var texts: [UInt8] = []
    /// The bytes of documents and of attributes of transmissions.
    package var documents: [UInt8] = []
    /// With consecutive ascending numbers.
    package var programmes: [ProgrammeRow] = []
    /// New attributes of transmissions, which are JSON objects, with consecutive ascending numbers.
    package var transmissions: [(id: Int64, hash: ContentHash, attributes: Field)] = []
    package var diagnostics: [Diagnostic] = []

    package init() {}

    package var isEmpty: Bool { programmes.isEmpty && transmissions.isEmpty && diagnostics.isEmpty }
}

/// What a store keeps of a programme: the columns, and a JSON document for everything else (Documentation/epg-json.md).
///
/// The first title, sub-title and description without markup are columns. The document has `null` instead of them, or no
/// member at all for a single element without attributes. A text with child elements stays in the document, and the column
/// has a copy of its text content. The first category is in the document and in its column.
public struct StoredProgramme: Hashable, Sendable {
    /// Empty where the programme has none.
    package var title: String
    package var subtitle: String?
    package var description: String?
    package var category: String?
    package var marks: AiringMarks
    /// A JSON object.
    package var document: [UInt8]

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
