package import EPGModel
import Glibc

/// Why a secret can't be had; never what it is.
package struct SecretError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do, without a full stop.
    package let description: String
}

extension Secret {
    /// What it is: the text, the first line of the file without blanks around it, or the variable's value.
    ///
    /// - Parameter environment: The environment's variables.
    /// - Throws: ``SecretError`` where there is none, or where it has control characters.
    package func value(environment: [String: String]) throws(SecretError) -> String {
        let value: String
        switch self {
        case .text(let text): value = text
        case .environment(let name):
            guard let found = environment[name], !found.isEmpty else {
                throw SecretError(description: "the variable \(name) isn't set")
            }
            value = found
        case .file(let path): value = try Secret.firstLine(of: path)
        }
        guard SettingText.isFieldValue(value) else {
            throw SecretError(description: "there are control characters in \(self)")
        }
        return value
    }

    /// The first line of a file, of which 64 KiB are read at most.
    private static func firstLine(of path: String) throws(SecretError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SecretError(description: "\(path) can't be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        while count < bytes.count {
            let part = bytes.withUnsafeMutableBytes { buffer in
                read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            }
            if part < 0 && errno == EINTR { continue }
            guard part >= 0 else {
                throw SecretError(description: "\(path) can't be read: \(String(cString: strerror(errno)))")
            }
            if part == 0 { break }
            count += part
        }
        var line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }.drop { $0 <= 0x20 }
        while let last = line.last, last <= 0x20 { line.removeLast() }
        guard let text = String(validating: line, as: UTF8.self), !text.isEmpty else {
            throw SecretError(description: "the first line of \(path) \(line.isEmpty ? "is empty" : "isn't UTF-8")")
        }
        return text
    }
}
