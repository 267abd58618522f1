#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A private file that the system removes when this object and the last open file are gone, even if the process is killed.
///
/// The file has mode 0600 and is unlinked immediately; ``path`` refers to it through `/proc`. Without `/proc`, it is unlinked when
/// this object is released.
package final class TemporaryFile: Sendable {
    /// The file, open for reading and writing.
    package let file: OpenFile
    /// The path at which this process can open the file.
    package let path: String
    /// The path to unlink later; `nil` if the file is already unlinked.
    private let name: String?

    /// Creates an empty file.
    ///
    /// - Parameter folder: An existing folder; `nil` for `TMPDIR`, or `/var/tmp` without it, because `/tmp` may be in memory.
    /// - Throws: ``SystemFault`` if the folder is not writable.
    package init(inFolder folder: String?) throws(SystemFault) {
        let standard = Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/var/tmp"
        let (file, name) = try OpenFile.temporary(withPrefix: "\(folder ?? standard)/swift-epg-")
        self.file = file
        if FileStatus.exists(file.ownPath), unsafe unlink(name) == 0 {
            path = file.ownPath
            self.name = nil
        } else {
            path = name
            self.name = name
        }
    }

    deinit {
        if let name { unsafe unlink(name) }
    }
}
