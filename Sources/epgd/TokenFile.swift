import EPGConfig
import Glibc

/// The file with the token for imports over HTTP.
enum TokenFile {
    /// The first line of the file that the settings name, without blanks around it; `nil` where they name none.
    ///
    /// - Throws: ``ConfigurationError`` where it can't be read, or has fewer than 16 bytes: such tokens can be guessed.
    static func token(_ findings: ConfigurationFindings) throws(ConfigurationError) -> [UInt8]? {
        guard let path = findings.configuration.tokenFile else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw findings.failure("token-file", "\(path) can't be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else {
            throw findings.failure("token-file", "\(path) can't be read: \(String(cString: strerror(errno)))")
        }
        var token = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }.drop { $0 <= 0x20 }
        while let last = token.last, last <= 0x20 { token.removeLast() }
        guard token.count >= 16 else {
            throw findings.failure(
                "token-file",
                "the first line of \(path) has fewer than 16 characters; write a better one, such as with: openssl rand -hex 32 > \(path)"
            )
        }
        return Array(token)
    }
}
