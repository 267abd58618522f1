import Glibc

/// Reads files with settings.
enum ConfigurationText {
    /// The text of a file of at most a mebibyte; `nil` where there is none.
    ///
    /// - Throws: ``ConfigurationError`` where it can't be read, is larger, or isn't UTF-8.
    static func contents(of path: String) throws(ConfigurationError) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let number = errno
            if number == ENOENT || number == ENOTDIR { return nil }
            throw failure(path, "it can't be read: \(String(cString: strerror(number)))")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw failure(path, "it can't be read: \(String(cString: strerror(errno)))")
            }
            if count == 0 { break }
            bytes += part[..<count]
            guard bytes.count <= 1 << 20 else {
                throw failure(path, "it has more than a mebibyte; this can't be the settings")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure(path, "it isn't UTF-8", line: lineOfInvalidByte(bytes))
        }
        return text
    }

    /// The working folder of the process.
    static func workingFolder() throws(ConfigurationError) -> String {
        guard let folder = getcwd(nil, 0) else {
            let reason = "the working folder is gone (\(String(cString: strerror(errno)))); give an absolute path"
            throw ConfigurationError(.flag("config"), key: nil, reason: reason)
        }
        defer { free(folder) }
        return String(cString: folder)
    }

    /// The line on which the first byte stands that is no UTF-8.
    private static func lineOfInvalidByte(_ bytes: [UInt8]) -> Int? {
        var line = 1
        // A line feed is no part of another character in UTF-8, so every line is valid or not by itself.
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if String(validating: part, as: UTF8.self) == nil { return line }
            line += 1
        }
        return nil
    }

    private static func failure(_ path: String, _ reason: String, line: Int? = nil) -> ConfigurationError {
        ConfigurationError(.file(path: path, line: line), key: nil, reason: reason)
    }
}
