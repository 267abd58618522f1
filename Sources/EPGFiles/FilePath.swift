#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Paths of files.
package enum FilePath {
    /// Returns the folder of a file: `.` for a path without a slash.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the path of another file in the folder of a file.
    package static func sibling(of path: String, named name: String) -> String {
        (path.lastIndex(of: "/").map { path[...$0] } ?? "") + name
    }

    /// Returns the names in a folder, without hidden files and names that are not UTF-8, in no order.
    package static func names(inFolder path: String) throws(SystemFault) -> [String] {
        guard let folder = unsafe opendir(path) else { throw .last }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
            }
            if let name, !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// Returns the working folder of the process.
    package static func workingFolder() throws(SystemFault) -> String {
        guard let folder = unsafe getcwd(nil, 0) else { throw .last }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder)
    }

    /// Returns the absolute path without symbolic links; the path itself if the file does not exist.
    package static func resolved(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Returns the target of a symbolic link; `nil` if there is none.
    package static func target(ofLink path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        // readlink(2) writes at most as many characters as the size of the buffer.
        let count = unsafe readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Flushes the folder of a file to the disk, which makes a new name durable. Not every file system supports it.
    package static func synchronizeFolder(of path: String) {
        let descriptor = unsafe open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// The environment variables of this process.
package enum Environment {
    /// The value of a variable, or `nil` if it is not set.
    ///
    /// No part of this project changes the environment, so the text is valid while it is copied.
    package static subscript(name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
