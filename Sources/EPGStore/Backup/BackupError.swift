/// Why no backup was made; nothing was overwritten.
package enum BackupError: Error, Hashable, Sendable {
    /// There is a file already.
    case exists(path: String)
    /// It is the guide itself, or one of its files.
    case isGuide(path: String)
    /// The system refuses to write there; its words.
    case cannotWrite(path: String, detail: String)
    /// The guide is damaged, so a copy of it would be, too; what the check of the copy found first.
    case damaged(path: String, detail: String)
}

extension BackupError: CustomStringConvertible {
    /// A sentence that says what to do.
    package var description: String {
        switch self {
        case .exists(let path): "\(path) is there already. Name another file, or let it be replaced with --force."
        case .isGuide(let path): "\(path) is the guide itself. Name another file."
        case .cannotWrite(let path, let detail): "No backup can be written to \(path): \(detail)."
        case .damaged(let path, let detail):
            "\(path) is damaged (\(detail)), so no backup was made; keep the last one. epg check says what to do."
        }
    }
}
