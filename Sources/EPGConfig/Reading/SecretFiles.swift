import EPGModel
import Glibc

/// A file with secrets that other accounts can read or write.
package struct LooseSecretFile: Hashable, Sendable, CustomStringConvertible {
    package let path: String
    let mode: mode_t
    /// The bits of the mode that should not be set.
    let excess: mode_t

    /// What is wrong, and the command that mends it.
    package var description: String {
        let (others, access) =
            switch excess {
            case _ where excess & 0o004 != 0: ("everybody", "read")
            case _ where excess & 0o040 != 0: ("its group", "read")
            case _ where excess & 0o002 != 0: ("everybody", "write")
            default: ("its group", "write")
            }
        let octal = String(mode, radix: 8)
        return "\(path) holds a secret and \(others) can \(access) it (mode \(octal)). "
            + "Run: chmod 600 \(Self.quoted(path))"
    }

    /// The path as a shell takes it.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                true
            default: byte >= 0x80
            }
        }
        return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
}

extension ConfigurationFindings {
    /// The files with secrets that others can read or write: those of tokens and passwords, and the file of settings itself where
    /// secrets stand in it.
    ///
    /// A file of root that a group may read (mode 0640) is the usual way to hand a secret to a service, and is none.
    package var looseSecretFiles: [LooseSecretFile] {
        var paths: [String] = []
        for path in secretFiles where !paths.contains(path) { paths.append(path) }
        return paths.compactMap { path in
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            let isForGroup = status.st_uid == 0 && status.st_gid != 0
            let loose: mode_t = isForGroup || status.st_uid != geteuid() ? 0o006 : 0o066
            guard status.st_mode & loose != 0 else { return nil }
            return LooseSecretFile(path: path, mode: status.st_mode & 0o777, excess: status.st_mode & loose)
        }
    }

    private var secretFiles: [String] {
        var secrets: [Secret] = []
        for source in configuration.sources {
            secrets += source.headers.map(\.value) + source.environment.map(\.value)
            secrets += [source.token, source.schedulesDirect?.password].compactMap { $0 }
        }
        let named = secrets.compactMap { secret in
            if case .file(let path) = secret { path } else { nil }
        }
        let own = [configuration.tokenFile, configuration.metricsTokenFile].compactMap { $0 }
        let holdsSecrets = configuration.sources.contains(where: \.holdsSecrets)
        return own + named + (holdsSecrets ? [file].compactMap { $0 } : [])
    }
}

extension SourceConfiguration {
    /// Whether a secret stands in the settings themselves: in a URL, in the text of a header, or in that of a variable.
    fileprivate var holdsSecrets: Bool {
        if let location = source.location, Self.holdsSecret(url: location) { return true }
        return (headers + environment).contains { field in
            guard case .text = field.value else { return false }
            return Self.isSecret(name: field.name)
        }
    }

    /// Whether a URL has user info (RFC 3986, 3.2.1) or a query parameter whose name is that of a secret.
    private static func holdsSecret(url: String) -> Bool {
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
