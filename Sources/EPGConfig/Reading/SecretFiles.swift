import EPGFiles
package import EPGModel
import Glibc

/// A file with secrets that other accounts can read or write.
package struct ExposedSecretFile: Hashable, Sendable, CustomStringConvertible {
    /// The path of the file.
    package let path: String
    /// The permission bits of the file.
    let mode: mode_t
    /// The permission bits that must not be set.
    let excess: mode_t

    /// The problem, and the command that fixes it.
    package var description: String {
        let (others, access) =
            switch excess {
            case _ where excess & 0o004 != 0: ("everybody", "read")
            case _ where excess & 0o040 != 0: ("its group", "read")
            case _ where excess & 0o002 != 0: ("everybody", "write")
            default: ("its group", "write")
            }
        let octal = String(mode, radix: 8)
        return "\(path) contains a secret and \(others) can \(access) it (mode \(octal)). "
            + "Run: chmod 600 \(Self.quoted(path))"
    }

    /// Returns a path quoted for a shell.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 >= 0x80 || "/.-_".utf8.contains($0) }
        return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
}

extension ConfigurationFindings {
    /// Files with secrets that others can read or write: token and password files, and the configuration file if it
    /// contains secrets.
    ///
    /// Excludes files of root that a group can read (mode 0640), which is a common way to pass a secret to a server.
    ///
    /// - Parameter other: The path of another file with secrets; `nil` for none.
    package func exposedSecretFiles(and other: String? = nil) -> [ExposedSecretFile] {
        var paths = other.map { [$0] } ?? []
        for path in secretFiles where !paths.contains(path) { paths.append(path) }
        return paths.compactMap { path in
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            let isForGroup = status.st_uid == 0 && status.st_gid != 0
            let loose: mode_t = isForGroup || status.st_uid != geteuid() ? 0o006 : 0o066
            guard status.st_mode & loose != 0 else { return nil }
            return ExposedSecretFile(path: path, mode: status.st_mode & 0o777, excess: status.st_mode & loose)
        }
    }

    /// Returns a sentence for each secret that cannot be read: one for each file or variable.
    ///
    /// - Parameter environment: The environment variables.
    package func missingSecrets(environment: [String: String]) -> [String] {
        var problems: [String] = []
        func check(_ secret: Secret, of owner: String) {
            do throws(SecretError) {
                _ = try secret.value(environment: environment)
            } catch {
                problems.append("\(owner): \(error).")
            }
        }
        for source in configuration.sources {
            for secret in source.secrets { check(secret, of: "source “\(source.source.name)”") }
        }
        for target in configuration.reminders {
            for secret in target.settings.secrets {
                check(secret, of: "target “\(target.recipient.name)” of reminders")
            }
        }
        return problems
    }

    private var secretFiles: [String] {
        let configured = configuration.sources + configuration.reminders.map(\.settings)
        let named = configured.flatMap(\.secrets).compactMap { secret in
            if case .file(let path) = secret { path } else { nil }
        }
        let containsSecrets = configured.contains(where: \.containsSecrets)
        return named + (containsSecrets ? [file].compactMap { $0 } : [])
    }
}

extension SourceConfiguration {
    /// The values of headers and variables, the token, and the password.
    fileprivate var secrets: [Secret] {
        headers.map(\.value) + environment.map(\.value)
            + [token, schedulesDirect?.password, xtreamPassword].compactMap { $0 }
    }

    /// Whether the settings contain a secret: in a URL, or in the text of a header or variable.
    fileprivate var containsSecrets: Bool {
        if let location = source.location, Self.containsSecret(url: location) { return true }
        return (headers + environment).contains { field in
            guard case .text = field.value else { return false }
            return Self.isSecret(name: field.name)
        }
    }

    /// Returns whether a URL has user information (RFC 3986, 3.2.1) or a query parameter with the name of a secret.
    private static func containsSecret(url: String) -> Bool {
        guard let mark = url.firstRange(of: "://") else { return false }
        let rest = url[mark.upperBound...]
        if rest.prefix(while: { !"/?#".contains($0) }).contains("@") { return true }
        guard let query = rest.split(separator: "?", maxSplits: 1).dropFirst().first else { return false }
        return query.split(separator: "&").contains { parameter in
            isSecret(name: String(parameter.prefix { $0 != "=" }))
        }
    }

    private static func isSecret(name: String) -> Bool {
        let name = name.lowercased()
        return ["token", "password", "passwd", "pass", "pwd", "secret", "key", "auth"].contains { name.contains($0) }
    }
}

// MARK: - Reading secrets

/// The failure to read a secret. Never contains the secret.
package struct SecretError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem, without a period.
    package let description: String
}

extension Secret {
    /// Reads the secret: the text, the trimmed first line of the file, the value of the variable, or the password of the account.
    ///
    /// - Parameters:
    ///   - environment: The environment variables.
    ///   - account: Returns the password of a user on a server; `nil` without one.
    /// - Throws: ``SecretError`` if it is missing or contains control characters.
    package func value(
        environment: [String: String], account: (_ username: String, _ url: String) throws -> String? = { _, _ in nil }
    ) throws(SecretError) -> String {
        let value: String
        switch self {
        case .text(let text): value = text
        case .environment(let name):
            guard let found = environment[name], !found.isEmpty else {
                throw SecretError(description: "the environment variable \(name) is not set")
            }
            value = found
        case .file(let path): value = try Secret.firstLine(of: path)
        case .account(let username, let url):
            do {
                guard let found = try account(username, url) else {
                    throw SecretError(
                        description:
                            "this machine has no password of \(username) for that server; add the account again at /admin/add, with the same name of the source, or enter the password of an Xtream account with epg source set"
                    )
                }
                value = found
            } catch {
                throw error as? SecretError ?? SecretError(description: "\(error)")
            }
        }
        guard SettingText.isHeaderValue(value) else {
            throw SecretError(description: "\(self) contains control characters")
        }
        return value
    }

    /// Reads the trimmed first line of a file, up to 64 KiB.
    private static func firstLine(of path: String) throws(SecretError) -> String {
        let line: ArraySlice<UInt8>
        do throws(SystemFault) {
            line = try OpenFile(reading: path).rest(upTo: 65_536).firstLine
        } catch {
            throw SecretError(description: "cannot read \(path): \(error)")
        }
        guard let text = String(validating: line, as: UTF8.self), !text.isEmpty else {
            throw SecretError(description: "the first line of \(path) \(line.isEmpty ? "is empty" : "is not UTF-8")")
        }
        return text
    }
}

extension [UInt8] {
    /// The first line without surrounding white space and control characters.
    package var firstLine: ArraySlice<UInt8> {
        var line = prefix { $0 != UInt8(ascii: "\n") }.drop { $0 <= 0x20 }
        while let last = line.last, last <= 0x20 { line.removeLast() }
        return line
    }
}
