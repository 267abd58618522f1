package import EPGModel

/// Takes the values of a row in the order of its columns.
package protocol RowSink {
    mutating func add(_ value: Int64?)
    mutating func add(_ value: Bool)
    mutating func add(_ value: String?)
    mutating func add(blob value: [UInt8])

    /// Adds a text or a document, or NULL. The bytes must stay valid until the row has been written.
    mutating func add(bytes value: UnsafeRawBufferPointer?)
}

// The rows that an import writes in bulk.

extension ContentBatch.ProgrammeRow {
    /// The columns of ``write(to:texts:documents:)``.
    package static let columns = """
        id, title, subtitle, category, description, is_new, is_premiere, is_live, document, is_derived, genre
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
