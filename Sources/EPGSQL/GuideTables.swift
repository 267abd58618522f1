package import EPGModel

/// A value of a column of a ``GuideTable``.
package enum GuideValue: Hashable, Sendable {
    case null
    /// An integer or a flag.
    case integer(Int64)
    /// A text, a document or a blob.
    case bytes([UInt8])
}

/// The tables of a stored guide, in one state.
package protocol GuideTables {
    /// Visits the rows of a table by ascending key.
    func visitRows(of table: GuideTable, _ body: ([GuideValue]) throws -> Void) throws
}

/// The file format of the backups of a store on a server. `EPGStore` provides SQLite's.
public struct BackupFormat: Sendable {
    /// Writes a backup; see ``GuideStorage/backUp(to:target:)``.
    package let write:
        @Sendable (_ tables: any GuideTables, _ path: String, _ target: BackupTarget) throws -> StoreCheck
    /// Calls a closure with the tables of a backup. Makes a checked copy of the file beside `path`.
    package let read:
        @Sendable (
            _ backup: String, _ path: String, _ body: (any GuideTables) throws -> RestoreReport
        ) throws -> RestoreReport

    /// Creates a format.
    package init(
        write: @escaping @Sendable (any GuideTables, String, BackupTarget) throws -> StoreCheck,
        read: @escaping @Sendable (String, String, (any GuideTables) throws -> RestoreReport) throws -> RestoreReport
    ) {
        self.write = write
        self.read = read
    }
}

/// The result of a copy from one store to another.
package struct GuideCopy: Sendable {
    /// The check of the copy.
    package let check: StoreCheck
    /// The digest of the source and of the copy.
    package let digest: GuideDigest

    /// Creates the result of a copy.
    package init(check: StoreCheck, digest: GuideDigest) {
        self.check = check
        self.digest = digest
    }
}

/// A digest of the rows of a guide. Guides with equal contents have equal digests, regardless of the store.
package struct GuideDigest: Hashable, Sendable {
    /// The digest of the rows that were added.
    package private(set) var value = ContentHash(high: 0, low: 0)
    /// The number of rows.
    package private(set) var count = 0

    /// Creates a digest of no rows.
    package init() {}

    /// Creates the digest of all tables.
    package init(of tables: some GuideTables) throws {
        for table in GuideSchema.tables { try tables.visitRows(of: table) { add($0) } }
    }

    /// Adds a row.
    package mutating func add(_ row: [GuideValue]) {
        count += 1
        var bytes = value.blob
        for value in row {
            switch value {
            case .null: bytes.append(0)
            case .integer(let number):
                bytes.append(1)
                unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
            case .bytes(let text):
                bytes.append(2)
                unsafe withUnsafeBytes(of: Int64(text.count).littleEndian) { unsafe bytes.append(contentsOf: $0) }
                bytes.append(contentsOf: text)
            }
        }
        value = ContentHasher.fixed.hash(bytes.span)
    }
}
