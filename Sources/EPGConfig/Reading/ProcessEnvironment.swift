internal import CProcess
package import EPGFiles
internal import Glibc

/// The environment of this process.
package enum ProcessEnvironment {
    /// Variables by name, except those that are not UTF-8.
    package static var variables: [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            next += 1
            guard let text = String(validatingCString: entry), let sign = text.firstIndex(of: "=") else { continue }
            variables[String(text[..<sign])] = String(text[text.index(after: sign)...])
        }
        return variables
    }
}

/// The command-line arguments of this process.
package enum ProcessArguments {
    /// Whether all arguments are UTF-8. Otherwise, file names in ``all`` may refer to different files.
    package static let areUTF8: Bool = {
        var first: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = cprocess_arguments(&first)
        return UnsafeBufferPointer(start: first, count: Int(count)).allSatisfy { argument in
            argument.map { String(validatingCString: $0) != nil } ?? true
        }
    }()

    /// The program's name and its arguments. Invalid UTF-8 is repaired like in `String(cString:)`.
    ///
    /// Swift's `CommandLine` is empty if `/proc/self/maps` cannot be opened, because no file descriptor is left or
    /// `/proc` is not mounted. The program would then run without its arguments.
    package static let all: [String] = {
        var first: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = cprocess_arguments(&first)
        return UnsafeBufferPointer(start: first, count: Int(count)).compactMap { $0.map { String(cString: $0) } }
    }()
}

/// File descriptors of this process.
package enum ProcessFiles {
    /// Opens `/dev/null` for each closed standard stream, so that no other file gets its descriptor.
    ///
    /// It is opened in the opposite direction, so that reading or writing still fails with `EBADF`.
    package static func reserveStandardStreams() {
        for stream in 0...2 where fcntl(Int32(stream), F_GETFD) < 0 {
            _ = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Raises the limit of open files (`ulimit -n`), up to the hard limit. Never lowers it.
    ///
    /// - Parameter count: The number of open files to allow.
    /// - Returns: The limit afterwards; `Int.max` if the system does not report it.
    package static func raiseLimit(to count: Int) -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return .max }
        if limit.rlim_cur < rlim_t(count) {
            var raised = limit
            raised.rlim_cur = min(limit.rlim_max, rlim_t(count))
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}

/// The default location of the guide, in the user's data folder (XDG Base Directory Specification).
package struct DefaultDatabase: Hashable, Sendable {
    /// The absolute path of the database file.
    package let path: String

    /// A folder that cannot be created.
    package struct Failure: Error, Hashable {
        /// The path of the folder.
        package let folder: String
        /// The reason.
        package let fault: SystemFault
    }

    /// Locates the database; `nil` if neither `XDG_DATA_HOME` nor `HOME` is an absolute path.
    ///
    /// - Parameter environment: The environment variables. A relative `XDG_DATA_HOME` is ignored, as specified.
    package init?(environment: [String: String]) {
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
            path = folder + "/epg/guide.sqlite"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            path = home + "/.local/share/epg/guide.sqlite"
        } else {
            return nil
        }
    }

    /// Creates missing parent folders with mode 0700.
    ///
    /// - Throws: ``Failure`` for the first folder that cannot be created.
    package func makeFolder() throws(Failure) { try Self.makeFolders(of: path) }

    /// Creates missing parent folders of a file with mode 0700.
    ///
    /// - Parameter path: An absolute path.
    /// - Throws: ``Failure`` for the first folder that cannot be created.
    package static func makeFolders(of path: String) throws(Failure) {
        var folder = ""
        for part in path.split(separator: "/").dropLast() {
            folder += "/" + part
            guard mkdir(folder, 0o700) != 0, errno != EEXIST else { continue }
            let fault = SystemFault.last
            // mkdir may fail for an existing folder, for example on a read-only file system.
            if !FileStatus.exists(folder) { throw Failure(folder: folder, fault: fault) }
        }
    }
}
