#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#elseif canImport(Darwin)
    package import Darwin
#endif

/// The status of a file after resolving symbolic links.
package struct FileStatus {
    /// The identity of a file, which differs from the identity of another file renamed to the same path.
    package struct Identity: Hashable, Sendable {
        let device: dev_t
        let file: ino_t
    }

    private let status: stat

    /// Returns `nil` if the file does not exist.
    ///
    /// Does not open the file, because closing it would release SQLite's locks.
    package init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.status = status
    }

    /// Returns the status of a file; `nil` only if it does not exist.
    ///
    /// - Throws: ``SystemFault`` if it is unknown whether the file exists, for example without permission.
    package static func ofFile(at path: String) throws(SystemFault) -> FileStatus? {
        if let status = FileStatus(path: path) { return status }
        let fault = SystemFault.last
        guard fault.number == ENOENT else { throw fault }
        return nil
    }

    fileprivate init(_ file: OpenFile) throws(SystemFault) {
        var status = stat()
        guard unsafe fstat(file.descriptor, &status) == 0 else { throw .last }
        self.status = status
    }

    package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    package var identity: Identity { Identity(device: status.st_dev, file: status.st_ino) }
    /// The size in bytes.
    package var size: Int { Int(status.st_size) }
    /// The permission bits.
    package var mode: mode_t { status.st_mode & 0o7777 }
    package var user: uid_t { status.st_uid }
    package var group: gid_t { status.st_gid }
    package var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
    /// Whether it is a regular file rather than a pipe, a device or a folder.
    package var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
    package var isPipe: Bool { status.st_mode & S_IFMT == S_IFIFO }
    /// The number of names of the file.
    package var nameCount: Int { Int(status.st_nlink) }

    #if !canImport(Darwin)
        /// The time of the last inode change since 1970, which programs cannot set.
        package var changed: Duration { .seconds(status.st_ctim.tv_sec) + .nanoseconds(status.st_ctim.tv_nsec) }
    #endif
}

extension OpenFile {
    /// The status of the file.
    package var status: FileStatus { get throws(SystemFault) { try FileStatus(self) } }
}
