import Glibc

/// Where the guide is if nothing says it: the place of a user's files (XDG Base Directory Specification).
package struct DefaultDatabase: Hashable, Sendable {
    package let path: String

    /// A folder that can't be made.
    package struct Failure: Error, Hashable {
        package let folder: String
        /// The `errno`.
        package let number: Int32
    }

    /// - Parameter environment: The variables of the process; a relative `XDG_DATA_HOME` is to be ignored.
    /// - Returns: `nil` where they tell no place.
    package init?(environment: [String: String]) {
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
            path = folder + "/epg/guide.sqlite"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            path = home + "/.local/share/epg/guide.sqlite"
        } else {
            return nil
        }
    }

    /// Makes the folders above it as far as they are missing, with mode 0700.
    package func makeFolder() throws(Failure) {
        var folder = ""
        for part in path.split(separator: "/").dropLast() {
            folder += "/" + part
            guard mkdir(folder, 0o700) != 0, errno != EEXIST else { continue }
            let number = errno
            // A folder that may not be made may still be there (on a read-only file system, say).
            if access(folder, F_OK) != 0 { throw Failure(folder: folder, number: number) }
        }
    }
}
