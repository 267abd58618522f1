/// New contents on their way to the store: many rows over one run of bytes.
public struct ContentBatch: Sendable {
    /// A piece of ``bytes``, or nothing where the feed has no such field.
    package struct Field: Sendable {
        /// The feed has no such field; an empty one is something else.
        package static let absent = Field(offset: 0, count: -1)

        /// From the beginning of ``ContentBatch/bytes``.
        package var offset: Int32
        /// In bytes; negative for none.
        package var count: Int32

        /// A run of bytes.
        ///
        /// - Precondition: Both numbers fit into 32 bits.
        package init(offset: Int, count: Int) {
            self.offset = Int32(offset)
            self.count = Int32(count)
        }

        private init(offset: Int32, count: Int32) {
            self.offset = offset
            self.count = count
        }

        /// Whether the feed has no such field.
        package var isAbsent: Bool { count < 0 }
    }

    /// A programme that the store doesn't know yet.
    package struct ProgrammeRow: Sendable {
        /// Its number in the store.
        package var id: Int64
        /// By which later imports know it again.
        package var digest: ProgrammeDigest
        /// The first title; empty where there is none, and absent only until it is set.
        package var title = Field.absent
        /// The first sub-title.
        package var subtitle = Field.absent
        /// The first description.
        package var description = Field.absent
        /// The first category.
        package var category = Field.absent
        package var marks: AiringMarks = []
        /// The JSON of what no column carries.
        package var document = Field.absent

        /// A programme without any field yet.
        package init(id: Int64, digest: ProgrammeDigest) {
            self.id = id
            self.digest = digest
        }
    }

    /// Attributes of a transmission that the store doesn't know yet.
    package struct TransmissionRow: Sendable {
        /// Its number in the store.
        package var id: Int64
        /// Of the attributes; equal ones are one row.
        package var hash: ContentHash
        /// A JSON object.
        package var attributes: Field

        package init(id: Int64, hash: ContentHash, attributes: Field) {
            self.id = id
            self.hash = hash
            self.attributes = attributes
        }
    }

    /// What the fields of all rows are pieces of.
    package var bytes: [UInt8] = []
    /// In the order of their numbers, which follow each other.
    package var programmes: [ProgrammeRow] = []
    /// In the order of their numbers, which follow each other.
    package var transmissions: [TransmissionRow] = []
    /// What was found while these contents were read.
    package var diagnostics: [Diagnostic] = []

    /// Nothing to store yet.
    package init() {}

    /// Whether there is nothing to store.
    package var isEmpty: Bool { programmes.isEmpty && transmissions.isEmpty && diagnostics.isEmpty }
}

/// What a store keeps of a programme: the columns, and a JSON document for everything else (Documentation/epg-json.md).
///
/// The first title, sub-title and description that are nothing but a text are columns. In the document `null` stands in their
/// place, or no member at all where there is one element without attributes. A text with child elements stays in the document;
/// the column then has a copy of its text content. The first category is in the document and in its column.
public struct StoredProgramme: Hashable, Sendable {
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
