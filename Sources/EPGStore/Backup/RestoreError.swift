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
