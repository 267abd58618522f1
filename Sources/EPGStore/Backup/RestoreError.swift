/// Why a guide was not restored; the guide is unchanged.
package enum RestoreError: Error, Hashable, Sendable {
    /// There is no backup at this path.
    case notFound(path: String)
    /// The backup cannot be used: it is damaged, of another program, or of a schema that this program cannot read.
    case badBackup(path: String, detail: String)
    /// The backup is the guide itself, or one of its files.
    case isGuide(path: String)
    /// The file at the path of the guide is a folder or another program's database.
    case notReplaceable(path: String, detail: String)
    /// Other processes read an old state of the guide, so its log cannot be emptied.
    case inUse(path: String)
    /// The system refuses to write the guide.
    case cannotWrite(path: String, detail: String)
}

extension RestoreError: CustomStringConvertible {
    /// What failed, why, and what to do next.
    package var description: String {
        switch self {
        case .notFound(let path): "There is no backup at \(path)."
        case .badBackup(let path, let detail):
            "\(path) cannot be restored: \(detail). The guide is unchanged; use another backup."
        case .isGuide(let path): "\(path) is the guide itself. Name a file that epg backup wrote."
        case .notReplaceable(let path, let detail):
            "\(path) is not replaced: \(detail). Name the guide's database with --database."
        case .inUse(let path):
            "Other processes are still reading an old state of \(path). Try again later, or wait for them with --wait."
        case .cannotWrite(let path, let detail): "\(path) cannot be restored: \(detail). The guide is unchanged."
        }
    }
}
