/// A batch of new programmes, transmissions and diagnostics for the store, whose texts share two byte buffers.
public struct ContentBatch: Sendable {
    /// A range of ``texts`` or ``documents``, or none.
    package struct Field: Sendable {
        /// A field that is missing in the feed, unlike an empty one.
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

    /// A programme that is not yet in the store.
    package struct ProgrammeRow: Sendable {
        /// The number in the store.
        package var id: Int64
        /// The digest by which later imports recognize the programme.
        package var digest: ProgrammeDigest
        /// The first title, in ``texts`` like the next three fields; empty if there is none, and absent until it is set.
        package var title = Field.absent
        package var subtitle = Field.absent
        package var description = Field.absent
        package var category = Field.absent
        package var marks: AiringMarks = []
        package var genre = ProgrammeGenre.none
        /// The JSON of all properties without a column, in ``documents``.
        package var document = Field.absent

        package init(id: Int64, digest: ProgrammeDigest) {
            self.id = id
            self.digest = digest
        }
    }

    /// The bytes of titles, subtitles, descriptions and categories. The search index needs only these, and retains them.
    package var texts: [UInt8] = []
    /// The bytes of documents and of attributes of transmissions.
    package var documents: [UInt8] = []
    /// The new programmes with consecutive ascending numbers.
    package var programmes: [ProgrammeRow] = []
    /// The new attributes of transmissions (JSON objects) with consecutive ascending numbers.
    package var transmissions: [(id: Int64, hash: ContentHash, attributes: Field)] = []
    /// New digests of stored programmes, which an older version computed.
    package var digests: [(id: Int64, digest: ProgrammeDigest)] = []
    package var diagnostics: [Diagnostic] = []

    package init() {}

    package var isEmpty: Bool {
        programmes.isEmpty && transmissions.isEmpty && digests.isEmpty && diagnostics.isEmpty
    }
}

extension ContentBatch.Field {
    /// Returns the bytes of a field in a batch; `nil` for an absent field.
    package func bytes(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        unsafe isAbsent ? nil : UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset) + Int(count)])
    }
}

/// A programme in a store: columns, and a JSON document for everything else (Documentation/epg-json.md).
///
/// The first title, subtitle and description without markup are columns. The document has `null` in their place, or no
/// member for a single element without attributes. A text with child elements stays in the document, and the column has a
/// copy of its text content. The first category is both in the document and in its column.
public struct StoredProgramme: Hashable, Sendable {
    /// The title; empty if there is none.
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

/// Takes the values of a row in the order of its columns.
package protocol RowSink {
    /// Adds an integer, or NULL.
    mutating func add(_ value: Int64?)

    /// Adds a flag.
    mutating func add(_ value: Bool)

    /// Adds a text, or NULL.
    mutating func add(_ value: String?)

    /// Adds a blob.
    mutating func add(blob value: [UInt8])

    /// Adds a text or a document, or NULL. The bytes must stay valid until the row has been written.
    mutating func add(bytes value: UnsafeRawBufferPointer?)
}

// MARK: - Rows

extension ContentBatch.ProgrammeRow {
    /// The columns of ``write(to:texts:documents:)``.
    package static let columns = """
        id, title, subtitle, category, description, is_new, is_premiere, is_live, document, is_derived, genre,
        is_repeat
        """

    /// Writes the row.
    package func write(
        to row: inout some RowSink, texts: UnsafeRawBufferPointer, documents: UnsafeRawBufferPointer
    ) {
        row.add(id)
        unsafe row.add(bytes: title.bytes(in: texts))
        unsafe row.add(bytes: subtitle.bytes(in: texts))
        unsafe row.add(bytes: category.bytes(in: texts))
        unsafe row.add(bytes: description.bytes(in: texts))
        row.add(marks.contains(.new))
        row.add(marks.contains(.premiere))
        row.add(marks.contains(.live))
        unsafe row.add(bytes: document.bytes(in: documents))
        row.add(marks.contains(.derived))
        row.add(Int64(genre.rawValue))
        row.add(marks.contains(.repeated))
    }
}

extension Diagnostic {
    /// The columns of ``write(to:importID:ordinal:)``.
    package static let columns = """
        import_id, ordinal, severity, keyword, action, line, station, start, stop, programme_id, other_line, other_start, \
        other_stop, other_programme_id, window_start, window_stop, quote
        """

    /// Writes the row.
    package func write(to row: inout some RowSink, importID: Int64, ordinal: Int64) {
        row.add(importID)
        row.add(ordinal)
        row.add(severity.rawValue)
        row.add(keyword.rawValue)
        row.add(action.rawValue)
        row.add(Int64(line))
        row.add(station?.rawValue)
        row.add(listing?.start.secondsSince1970)
        row.add(listing?.stop?.secondsSince1970)
        row.add(listing?.programme)
        row.add(other.map { Int64($0.line) })
        row.add(other?.start.secondsSince1970)
        row.add(other?.stop?.secondsSince1970)
        row.add(other?.programme)
        row.add(window?.start.secondsSince1970)
        row.add(window?.end.secondsSince1970)
        row.add(quote)
    }
}
