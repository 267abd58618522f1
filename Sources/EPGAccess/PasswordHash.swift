internal import CCrypt
internal import EPGFiles
internal import EPGModel

/// The hash of a password by yescrypt, a memory-hard function (crypt(5)).
package struct PasswordHash: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The hash with its method, cost and salt: `$y$…`. It must not appear in logs and pages.
    package let text: String

    /// The limits of passwords in bytes of UTF-8. The longest of libcrypt is 511 bytes (`CRYPT_MAX_PASSPHRASE_SIZE`).
    package static let lengths = 10...511
    /// 32 MiB and about 50 ms per hash.
    private static let cost: UInt = 6
    /// The size of a buffer for a hash or a setting (`CRYPT_OUTPUT_SIZE`).
    private static let bufferSize = 384

    /// Creates a hash that a file or a database contains.
    package init?(stored text: String) {
        let isPlain = text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
        guard text.hasPrefix("$y$"), isPlain, text.utf8.count < PasswordHash.bufferSize else { return nil }
        self.text = text
    }

    /// Hashes a new password with a random salt. Blocks the thread.
    ///
    /// - Throws: ``PasswordFailure``.
    package init(of password: String) throws(PasswordFailure) {
        guard PasswordHash.lengths.contains(password.utf8.count) else { throw .length }
        guard !password.utf8.contains(0) else { throw .character }
        let random = RandomSecret.bytes(count: 32).map { CChar(bitPattern: $0) }
        var setting = [CChar](repeating: 0, count: PasswordHash.bufferSize)
        let code = unsafe ccrypt_setting(PasswordHash.cost, random, Int32(random.count), &setting, setting.count)
        guard code == 0 else { throw .library("\(SystemFault(number: code))") }
        text = PasswordHash.text(try PasswordHash.hash(password, setting))
    }

    /// Returns whether this is the hash of a password. Blocks the thread.
    ///
    /// The time does not depend on the number of matching bytes.
    ///
    /// - Throws: ``PasswordFailure/library(_:)``.
    package func matches(_ password: String) throws(PasswordFailure) -> Bool {
        guard PasswordHash.lengths.contains(password.utf8.count), !password.utf8.contains(0) else { return false }
        let hash = try PasswordHash.hash(password, text.utf8CString.map { $0 })
        return PasswordHash.text(hash).equalsInConstantTime(text)
    }

    /// - Parameter setting: A null-terminated setting or hash.
    private static func hash(_ password: String, _ setting: [CChar]) throws(PasswordFailure) -> [CChar] {
        var hash = [CChar](repeating: 0, count: bufferSize)
        let code = unsafe ccrypt_hash(password, setting, &hash, hash.count)
        guard code == 0 else { throw .library("\(SystemFault(number: code))") }
        return hash
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    package var description: String { "(hidden)" }

    /// A mirror without the hash, which `dump` and failing tests would print.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The reason why a password cannot be hashed.
package enum PasswordFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The password has too few or too many bytes.
    case length
    /// The password contains U+0000.
    case character
    /// There is already a password.
    case exists
    /// The other role has the same password.
    case shared
    /// libcrypt failed.
    case library(String)

    /// Whether another password could be hashed.
    package var isOfPassword: Bool { if case .library = self { false } else { true } }

    package var description: String {
        switch self {
        case .length:
            "a password has from \(PasswordHash.lengths.lowerBound) to \(PasswordHash.lengths.upperBound) bytes"
        case .character: "a password cannot contain a null character"
        case .exists: "there is already a password"
        case .shared: "administrators and readers must have different passwords"
        case .library(let problem): "cannot hash a password: \(problem)"
        }
    }
}

/// Random texts that cannot be guessed.
package enum RandomSecret {
    /// Returns 64 hexadecimal digits from 256 random bits of the system.
    package static func make() -> String { bytes(count: 32).map(\.hexadecimal).joined() }

    /// Returns random bytes of the system.
    static func bytes(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

extension String {
    /// Returns whether two texts have the same bytes. The time depends on the lengths only.
    package func equalsInConstantTime(_ other: String) -> Bool {
        let (one, two) = (Array(utf8), Array(other.utf8))
        guard one.count == two.count else { return false }
        var difference: UInt8 = 0
        for index in one.indices { difference |= one[index] ^ two[index] }
        return difference == 0
    }
}
