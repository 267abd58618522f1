import EPGConfig
import Glibc

/// A file with a token: that for imports over HTTP, or that for `/metrics`.
enum TokenFile {
    /// The first line of the file that a setting names, without blanks around it; `nil` where it names none.
    ///
    /// - Parameter setting: The key of the setting.
    /// - Throws: ``ConfigurationError`` where it can't be read, or has fewer than 16 bytes: such tokens can be guessed.
    static func token(
        at path: String?, of setting: String, _ findings: ConfigurationFindings
    ) throws(ConfigurationError) -> [UInt8]? {
        guard let path else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw findings.failure(setting, "\(path) can't be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else {
            throw findings.failure(setting, "\(path) can't be read: \(String(cString: strerror(errno)))")
        }
        var token = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }.drop { $0 <= 0x20 }
        while let last = token.last, last <= 0x20 { token.removeLast() }
        guard token.count >= 16 else {
            throw findings.failure(
                setting,
                "the first line of \(path) has fewer than 16 characters; write a better one, such as with: openssl rand -hex 32 | install -m 600 /dev/stdin \(path)"
            )
        }
        return Array(token)
    }
}
