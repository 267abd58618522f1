internal import EPGFiles
internal import Glibc

/// A private file that is deleted with this object, even if the process is killed.
///
/// The file has mode 0600 and is unlinked immediately; ``path`` refers to it through `/proc`. Without `/proc`, the file
/// is unlinked when the object is released.
final class TemporaryFile: Sendable {
    /// The path at which this process can open the file.
    let path: String
    private let file: OpenFile
    /// The path to unlink later; `nil` if the file is already unlinked.
    private let name: String?

    /// Creates an empty file.
    ///
    /// - Throws: ``SystemFault`` if the folder is not writable.
    init(inFolder folder: String) throws(SystemFault) {
        let (file, name) = try OpenFile.temporary(withPrefix: "\(folder)/swift-epg-")
        self.file = file
        if access(file.ownPath, R_OK) == 0, unlink(name) == 0 {
            path = file.ownPath
            self.name = nil
        } else {
            path = name
            self.name = name
        }
    }

    deinit {
        if let name { unlink(name) }
    }

    /// Appends all bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFault) { try file.write(bytes) }

    /// Truncates the file.
    func empty() throws(SystemFault) { try file.truncate() }

    /// The folder for temporary files: `TMPDIR`, or `/var/tmp`, because `/tmp` may be in memory.
    static func standardFolder() -> String {
        guard let folder = Environment["TMPDIR"], !folder.isEmpty else { return "/var/tmp" }
        return folder
    }
}
