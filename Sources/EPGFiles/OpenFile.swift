#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file. It is closed when the last reference to it is released.
///
/// Child processes don't inherit it. All methods continue after a signal.
package final class OpenFile: Sendable {
    package let descriptor: Int32
    private let closes: Bool

    private init(_ descriptor: Int32, closes: Bool) {
        self.descriptor = descriptor
        self.closes = closes
    }

    /// Standard input, which is never closed.
    package static let standardInput = OpenFile(0, closes: false)
    /// Standard error, which is never closed.
    package static let standardError = OpenFile(2, closes: false)

    /// Takes over an open descriptor.
    package convenience init(owning descriptor: Int32) {
        self.init(descriptor, closes: true)
    }

    /// - Throws: ``SystemFault/last`` if the descriptor is negative.
    private convenience init(checking descriptor: Int32) throws(SystemFault) {
        guard descriptor >= 0 else { throw .last }
        self.init(owning: descriptor)
    }

    deinit {
        if closes { close(descriptor) }
    }

    /// Opens a file for reading.
    ///
    /// - Parameter waits: Whether opening a pipe waits for a writer.
    package convenience init(reading path: String, waits: Bool = true) throws(SystemFault) {
        // The path is passed as a null-terminated copy that lives for the duration of the call. So are those below.
        try self.init(checking: unsafe open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK)))
    }

    /// Opens an existing file for writing.
    ///
    /// - Parameter appends: Whether writes append to its content.
    package convenience init(writing path: String, appends: Bool = false) throws(SystemFault) {
        try self.init(checking: unsafe open(path, O_WRONLY | O_CLOEXEC | (appends ? O_APPEND : 0)))
    }
}

// MARK: - Creating files

extension OpenFile {
    /// Creates a file with mode 0600 and a unique name.
    ///
    /// - Parameter prefix: Its path, except for six characters.
    package static func temporary(withPrefix prefix: String) throws(SystemFault) -> (file: OpenFile, path: String) {
        var name = Array("\(prefix)XXXXXX".utf8CString)
        // `mkstemp` replaces six characters of the null-terminated array.
        let file = try OpenFile(checking: unsafe mkstemp(&name))
        // A failure would only let a child process inherit the file.
        _ = fcntl(file.descriptor, F_SETFD, FD_CLOEXEC)
        return (file, String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// Creates a file without a name in a folder; `nil` if the file system or the system doesn't support it.
    ///
    /// The file has mode 0600 and disappears unless ``link(as:)`` names it.
    static func unnamed(inFolder folder: String) -> OpenFile? {
        #if os(Linux)
            // `O_TMPFILE`, which the Glibc module does not import (Linux, `asm-generic/fcntl.h`).
            let unnamedFileFlag = 0o20000000 | O_DIRECTORY
            let descriptor = unsafe open(folder, unnamedFileFlag | O_WRONLY | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return nil }
            let file = OpenFile(owning: descriptor)
            return FileStatus.exists(file.ownPath) ? file : nil
        #else
            return nil
        #endif
    }

    /// Names a file that was created without a name.
    func link(as path: String) throws(SystemFault) {
        guard unsafe linkat(AT_FDCWD, ownPath, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 else { throw .last }
    }

    /// A path of the file for this process, even if it has no name. Requires `/proc`.
    package var ownPath: String { "/proc/self/fd/\(descriptor)" }

    /// Flushes the file to the disk.
    package func synchronize() throws(SystemFault) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Sets the owner, if permitted, and the mode of a file that replaces another file.
    ///
    /// - Parameter old: The replaced file; `nil` sets the default mode of new files.
    package func inheritPermissions(of old: FileStatus?) throws(SystemFault) {
        // Only root can change the owner; otherwise the new file belongs to the caller.
        if let old { _ = fchown(descriptor, old.user, old.group) }
        guard fchmod(descriptor, old?.mode ?? Self.defaultMode) == 0 else { throw .last }
    }

    /// Gives the file to the owner of another file if root runs this process, as SQLite does with its log.
    package func inheritOwner(of other: FileStatus?) {
        guard geteuid() == 0, let other else { return }
        _ = fchown(descriptor, other.user, other.group)
    }

    private static var defaultMode: mode_t {
        let mask = umask(0)
        umask(mask)
        return 0o666 & ~mask
    }
}

// MARK: - Reading

extension OpenFile {
    /// Reads at least one and at most `count` bytes into an array, starting at an offset.
    ///
    /// - Returns: The number of bytes, or 0 at the end.
    package func read(
        into buffer: inout [UInt8], at offset: Int = 0, upTo count: Int
    ) throws(SystemFault) -> Int {
        // The range is checked against the array, and the system writes at most `count` bytes.
        precondition(offset >= 0 && count >= 0 && offset <= buffer.count - count)
        let got = unsafe buffer.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            return Self.repeating { unsafe systemRead(descriptor, base + offset, count) }
        }
        guard got >= 0 else { throw .last }
        return got
    }

    /// Reads at least one byte, and at most as many as the buffer holds, from a byte offset of the file.
    ///
    /// - Returns: The number of bytes, or 0 at the end.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, from position: Int
    ) throws(SystemFault) -> Int {
        let got = Self.repeating { unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(position)) }
        guard got >= 0 else { throw .last }
        return got
    }

    /// Reads a range of the file.
    ///
    /// - Throws: ``SystemFault``; `EIO` if the file is shorter.
    package func bytes(in range: Range<Int>) throws(SystemFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var done = 0
        while done < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                guard let base = buffer.baseAddress else { return 0 }
                let position = off_t(range.lowerBound + done)
                return Self.repeating { unsafe pread(descriptor, base + done, range.count - done, position) }
            }
            guard got > 0 else { throw got < 0 ? .last : SystemFault(number: EIO) }
            done += got
        }
        return bytes
    }

    /// Reads the rest of the file, at most `limit` bytes.
    package func rest(upTo limit: Int) throws(SystemFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, 16 << 10))
        while bytes.count < limit {
            let got = try read(into: &chunk, upTo: min(chunk.count, limit - bytes.count))
            if got == 0 { break }
            bytes += chunk[..<got]
        }
        return bytes
    }

    /// Reads a regular file, at most `limit` bytes; returns `nil` if it is missing or not a regular file.
    package static func bytes(ofFile path: String, upTo limit: Int) throws(SystemFault) -> [UInt8]? {
        do throws(SystemFault) {
            let file = try OpenFile(reading: path, waits: false)
            return try file.status.isRegular ? file.rest(upTo: limit) : nil
        } catch {
            if [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(error.number) { return nil }
            throw error
        }
    }

    /// Moves the position of the next read to a byte offset of a regular file.
    package func seek(to position: Int) throws(SystemFault) {
        guard lseek(descriptor, off_t(position), SEEK_SET) >= 0 else { throw .last }
    }

    /// Repeats a call as long as a signal interrupts it.
    private static func repeating(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

// MARK: - Writing

extension OpenFile {
    /// Writes all bytes.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFault) {
        guard let base = bytes.baseAddress else { return }
        var done = 0
        while done < bytes.count {
            let count = Self.repeating { unsafe systemWrite(descriptor, base + done, bytes.count - done) }
            guard count > 0 else { throw count < 0 ? .last : SystemFault(number: EIO) }
            done += count
        }
    }

    /// Writes all bytes.
    package func write(_ bytes: [UInt8]) throws(SystemFault) {
        try unsafe bytes.span.withUnsafeBytes { (buffer) throws(SystemFault) in try unsafe write(buffer) }
    }

    /// Writes at least one byte, and at most all, at a byte offset of the file. Returns their number.
    package func write(_ bytes: UnsafeRawBufferPointer, at position: Int) throws(SystemFault) -> Int {
        let count = Self.repeating { unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(position)) }
        guard count > 0 else { throw count < 0 ? .last : SystemFault(number: EIO) }
        return count
    }

    /// Removes the content.
    package func truncate() throws(SystemFault) {
        guard ftruncate(descriptor, 0) == 0 else { throw .last }
        try seek(to: 0)
    }
}

/// Calls read(2), whose name a method of ``OpenFile`` hides.
private func systemRead(_ descriptor: Int32, _ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    unsafe read(descriptor, target, count)
}

/// Calls write(2), whose name a method of ``OpenFile`` hides.
private func systemWrite(_ descriptor: Int32, _ source: UnsafeRawPointer, _ count: Int) -> Int {
    unsafe write(descriptor, source, count)
}
