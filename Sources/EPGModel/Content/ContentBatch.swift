/// New contents on their way to the store: many rows over one run of bytes.
package struct ContentBatch: Sendable {
    /// A piece of ``bytes``, or nothing where the feed has no such field.
    package struct Field: Sendable {
        package static let absent = Field(offset: 0, count: -1)

        package var offset: Int32
        package var count: Int32

        package init(offset: Int, count: Int) {
            self.offset = Int32(offset)
            self.count = Int32(count)
        }

        private init(offset: Int32, count: Int32) {
            self.offset = offset
            self.count = count
        }

        package var isAbsent: Bool { count < 0 }
    }

    /// A programme that the store doesn't know yet.
    package struct ProgrammeRow: Sendable {
        package var id: Int64
        package var digest: ProgrammeDigest
        package var title = Field.absent
        package var subtitle = Field.absent
        package var description = Field.absent
        /// The first category.
        package var category = Field.absent
        package var document = Field.absent

        package init(id: Int64, digest: ProgrammeDigest) {
            self.id = id
            self.digest = digest
        }
    }

    /// Attributes of a transmission that the store doesn't know yet.
    package struct TransmissionRow: Sendable {
        package var id: Int64
        package var hash: ContentHash
        package var attributes: Field

        package init(id: Int64, hash: ContentHash, attributes: Field) {
            self.id = id
            self.hash = hash
            self.attributes = attributes
        }
    }

    package var bytes: [UInt8] = []
    /// In the order of their numbers, which follow each other.
    package var programmes: [ProgrammeRow] = []
    package var transmissions: [TransmissionRow] = []
    package var diagnostics: [Diagnostic] = []

    package init() {}

    package var isEmpty: Bool { programmes.isEmpty && transmissions.isEmpty && diagnostics.isEmpty }
}
