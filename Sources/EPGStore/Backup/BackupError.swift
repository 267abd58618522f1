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
