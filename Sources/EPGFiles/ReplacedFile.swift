#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An output file that replaces an existing file only when it is complete.
///
/// The bytes go to an unnamed file in the same folder, which disappears if the process is killed. File systems without
/// unnamed files get a temporary file, which deinitialization removes. ``replace()`` flushes the bytes to the disk and
/// gives the file its name; without it, the old file stays.
package final class ReplacedFile {
    /// The permissions of the new file.
    package enum Permissions: Sendable {
        /// Mode and owner of the old file, which must be writable. A new file has the default mode.
        case inherited
        /// Only the owner can read and write it.
        case ownerOnly
    }

    /// An operation that failed.
    package struct Failure: Error, Hashable, Sendable {
        package enum Operation: String, Sendable {
            case create, open, write
            case setMode = "set the mode of"
        }

        package let operation: Operation
        /// `EISDIR` if the path leads to a folder.
        package let fault: SystemFault
    }

    private enum Stage {
        /// Writing directly to the named file, or done.
        case named
        case unnamed
        case temporary(String)
    }

    private let path: String
    private let file: OpenFile
    private var stage = Stage.named

    /// Starts a file.
    ///
    /// Follows symbolic links. Special files such as `/dev/null` or a named pipe are written to directly.
    package init(at path: String, permissions: Permissions = .inherited) throws(Failure) {
        let old = FileStatus(path: path)
        if let old, old.isFolder { throw Failure(operation: .create, fault: SystemFault(number: EISDIR)) }
        if old != nil, permissions == .inherited, unsafe access(path, W_OK) != 0 {
            throw Failure(operation: .write, fault: .last)
        }
        if let old, !old.isRegular {
            self.path = path
            file = try Self.doing(.open) { () throws(SystemFault) in try OpenFile(writing: path) }
            return
        }
        self.path = FilePath.resolved(path)
        if let unnamed = OpenFile.unnamed(inFolder: FilePath.folder(of: self.path)) {
            file = unnamed
            stage = .unnamed
        } else {
            let prefix = FilePath.sibling(of: self.path, named: ".epg-")
            let (file, name) = try Self.doing(.create) { () throws(SystemFault) in
                try OpenFile.temporary(withPrefix: prefix)
            }
            self.file = file
            stage = .temporary(name)
        }
        guard permissions == .inherited else { return }
        try Self.doing(.setMode) { () throws(SystemFault) in try file.inheritPermissions(of: old) }
    }

    deinit {
        if case .temporary(let name) = stage { unsafe unlink(name) }
    }

    /// See ``OpenFile/inheritOwner(of:)``.
    package func inheritOwner(of other: FileStatus?) { file.inheritOwner(of: other) }

    /// Appends bytes.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        try Self.doing(.write) { () throws(SystemFault) in try file.write(bytes) }
    }

    /// Replaces the old file with the complete one.
    package func replace() throws(Failure) {
        if case .named = stage { return }
        try Self.doing(.write) { () throws(SystemFault) in
            try file.synchronize()
            let temporary = try temporaryName()
            guard unsafe rename(temporary, path) == 0 else { throw .last }
        }
        stage = .named
        FilePath.synchronizeFolder(of: path)
    }

    /// Returns the temporary name of the file, which it gets if it has none: a link cannot replace an existing file.
    private func temporaryName() throws(SystemFault) -> String {
        if case .temporary(let name) = stage { return name }
        while true {
            let name = FilePath.sibling(of: path, named: ".epg-\(getpid())-\(UInt32.random(in: 0 ... .max))")
            do throws(SystemFault) {
                try file.link(as: name)
                stage = .temporary(name)
                return name
            } catch {
                guard error.number == EEXIST else { throw error }
            }
        }
    }

    private static func doing<Result>(
        _ operation: Failure.Operation, _ body: () throws(SystemFault) -> Result
    ) throws(Failure) -> Result {
        do throws(SystemFault) {
            return try body()
        } catch {
            throw Failure(operation: operation, fault: error)
        }
    }
}
