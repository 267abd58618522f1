internal import EPGFiles
package import EPGModel
internal import Glibc
internal import Synchronization

/// The passwords and tokens of a service.
package struct AccessRecords: Hashable, Sendable {
    /// The password for administration; `nil` if administration in the browser is off.
    package var administrator: PasswordHash?
    /// The password for reading alone; `nil` if only administrators log in.
    package var reader: PasswordHash?
    /// The tokens, in order of creation.
    package var tokens: [AccessToken] = []
    /// The passwords of accounts, which are not hashed, because their servers need them.
    package var accounts: [AccountName: String] = [:]

    package init() {}

    /// The password of a role.
    package subscript(role: AccessRole) -> PasswordHash? {
        get { role == .administrator ? administrator : reader }
        set { if role == .administrator { administrator = newValue } else { reader = newValue } }
    }

    /// Returns the token with a text; `nil` if the text is none.
    package func token(_ text: String) -> AccessToken? {
        // Comparing hashes of random texts reveals nothing about the token.
        let digest = SHA256.hexadecimal(of: text)
        return tokens.first { $0.digest.equalsInConstantTime(digest) }
    }
}

/// Permissions of a session.
package enum AccessRole: String, Hashable, Sendable, CaseIterable {
    /// Administration, and reading.
    case administrator
    /// Reading only, if the service requires a log-in.
    case reader
}

/// A user on a server of listings.
package struct AccountName: Hashable, Sendable {
    let username: String
    let url: String

    /// Creates the name of an account.
    ///
    /// - Parameter url: The URL of the server's API.
    package init(username: String, url: String) {
        self.username = username
        self.url = url
    }

    /// The account of a source; `nil` for a source without one.
    package init?(of source: Source) {
        guard let account = source.account else { return nil }
        self.init(username: account.username, url: source.location ?? "")
    }
}

/// What a token admits a program to.
package enum AccessScope: String, Hashable, Sendable, CaseIterable {
    /// Reading the guide, if the service requires a log-in.
    case read
    /// Adding and removing watch rules.
    case watch
    /// Imports over HTTP.
    case imports = "import"
    /// `/metrics`, which then requires a token.
    case metrics
    /// Administration, and all of the above except reading.
    case administration = "admin"
}

/// A token by which a program, such as a player, uses the service without a log-in.
package struct AccessToken: Hashable, Sendable {
    /// The name, unique among tokens.
    package let name: String
    /// What the token admits to; not empty.
    package let scopes: Set<AccessScope>
    /// The time at which the token was made.
    package let created: Instant
    /// The last use, which is up to ten minutes late in the file; `nil` if it was never used.
    package var used: Instant?
    /// The SHA-256 of the text, which is not stored.
    let digest: String

    /// The maximum number of tokens.
    package static let maximumCount = 100

    /// Creates a token with a random text, which is returned once.
    ///
    /// - Parameter scopes: What the token admits to: reading by default.
    /// - Precondition: ``isName(_:)``, and there is a scope.
    package static func make(
        named name: String, for scopes: Set<AccessScope> = [.read], at now: Instant
    ) -> (token: AccessToken, text: String) {
        precondition(isName(name) && !scopes.isEmpty)
        let text = RandomSecret.make()
        return (
            AccessToken(name: name, scopes: scopes, created: now, used: nil, digest: SHA256.hexadecimal(of: text)), text
        )
    }

    /// Returns whether a text is a valid name: 1 to 64 bytes without control characters and surrounding blanks.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: " ")
            && text.utf8.last != UInt8(ascii: " ")
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

/// The file with the passwords and tokens of a service. Only its owner can read it, and it is not part of the guide, so that
/// backups and copies do not contain it.
///
/// Lines of the file: `epg-access 2`, `administrator HASH`, `reader HASH`, `token/SCOPE/… SHA-256 CREATED USED NAME` with seconds
/// since 1970, or `-` for a token that was never used (a token for reading has no scope), and `account USER URL PASSWORD`, percent-encoded.
package final class AccessStore: Sendable {
    /// The content of the file, and what identifies this version of it.
    private struct Content {
        var records = AccessRecords()
        /// `nil` if there was no file.
        var file: (identity: FileStatus.Identity, changed: Duration)?
    }

    private struct Known {
        var content = Content()
        var checked: ContinuousClock.Instant?
        /// The number of changes by this process, so that a read that began before one does not replace it.
        var changes = 0
        /// Uses of tokens that are not yet in the file, by the digest of the token.
        var uses: [String: Instant] = [:]
        /// Whether ``storeUses()`` has yet to run or to end, and the earliest time of the next attempt.
        var isStoringUses = false
        var nextStore: ContinuousClock.Instant?
    }

    /// The path of the file.
    package let path: String
    private let guide: String
    /// Locked for moments only, never during input and output.
    private let known = Mutex(Known())

    private static let header = "epg-access 2"
    /// The header of files without scopes and accounts.
    private static let formerHeader = "epg-access 1"
    private static let maximumSize = 1 << 20
    /// How long the file is not checked for changes.
    private static let checkInterval = Duration.seconds(1)
    /// The seconds between two times that the uses of a token are stored.
    private static let useInterval: Int64 = 600
    /// The time between two attempts to store uses, which fail for example while the disk is full.
    private static let storeInterval = Duration.seconds(60)

    /// - Parameter path: The path beside which programs keep files of the guide (`GuideStorage.companionPath`).
    package init(besideGuide path: String) {
        guide = path
        self.path = path + "-access"
    }

    /// The current records without reading the file; `nil` if it has to be checked, which ``records()`` does.
    package var knownRecords: AccessRecords? {
        known.withLock { known in
            guard let checked = known.checked, ContinuousClock.now - checked < Self.checkInterval else { return nil }
            return known.content.records
        }
    }

    /// Returns the current records; empty if there is no file. Checks at most once a second whether the file has changed, and
    /// blocks the thread for it.
    ///
    /// - Throws: ``AccessFailure`` if the file cannot be read or is malformed.
    package func records() throws(AccessFailure) -> AccessRecords {
        if let records = knownRecords { return records }
        let (content, changes) = known.withLock { ($0.content, $0.changes) }
        let current = try read(after: content)
        return known.withLock { known in
            if known.changes == changes { (known.content, known.checked) = (current, .now) }
            return known.content.records
        }
    }

    /// Changes the records, while other changes wait. Blocks the thread.
    ///
    /// - Throws: ``AccessFailure``, and errors of `body`; the file is unchanged then.
    package func change<Result>(_ body: (inout AccessRecords) throws -> Result) throws -> Result {
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        var content = try read(after: Content())
        let uses = known.withLock { $0.uses }
        Self.apply(uses, to: &content.records)
        let result = try body(&content.records)
        try write(content.records)
        content.file = FileStatus(path: path).map { ($0.identity, $0.changed) }
        known.withLock { [content] known in
            (known.content, known.checked) = (content, .now)
            known.changes += 1
            known.uses = known.uses.filter { uses[$0.key] != $0.value }
        }
        return result
    }

    /// Removes the password of a source's account, unless another source needs it. Blocks the thread.
    package func forgetAccount(of source: Source, besides others: [Source]) throws {
        guard let account = AccountName(of: source), !others.contains(where: { AccountName(of: $0) == account }),
            try records().accounts[account] != nil
        else { return }
        try change { $0.accounts[account] = nil }
    }

    /// Hashes a password and stores it. Blocks the thread.
    ///
    /// - Parameter isFirst: Whether to refuse to replace a password.
    /// - Throws: ``PasswordFailure``, also if the other role has the same password: a log-in could not tell the roles apart;
    ///   ``AccessFailure``.
    @discardableResult
    package func setPassword(
        _ password: String, of role: AccessRole, isFirst: Bool = false
    ) throws -> PasswordHash {
        let hash = try PasswordHash(of: password)
        try change { records in
            if isFirst, records[role] != nil { throw PasswordFailure.exists }
            for other in AccessRole.allCases where other != role {
                if let known = records[other], try known.matches(password) { throw PasswordFailure.shared }
            }
            records[role] = hash
        }
        return hash
    }

    /// Notes the use of a token.
    ///
    /// - Returns: Whether to call ``storeUses()``, on a thread that may block.
    package func use(_ token: AccessToken, at now: Instant) -> Bool {
        known.withLock { known in
            known.uses[token.digest] = now
            let isOld = token.used.map { $0.seconds(to: now) >= Self.useInterval } ?? true
            guard isOld, !known.isStoringUses, known.nextStore.map({ $0 <= .now }) ?? true else { return false }
            known.isStoringUses = true
            return true
        }
    }

    /// Stores the uses of tokens. Blocks the thread.
    package func storeUses() throws {
        defer {
            known.withLock { known in
                known.isStoringUses = false
                known.nextStore = .now + Self.storeInterval
            }
        }
        try change { _ in }
    }

    private static func apply(_ uses: [String: Instant], to records: inout AccessRecords) {
        for index in records.tokens.indices {
            guard let use = uses[records.tokens[index].digest] else { continue }
            records.tokens[index].used = max(use, records.tokens[index].used ?? use)
        }
    }

    // MARK: - File

    /// Reads the file, unless it has not changed since `content` was read.
    private func read(after content: Content) throws(AccessFailure) -> Content {
        let status: FileStatus?
        do throws(SystemFault) {
            status = try FileStatus.ofFile(at: path)
        } catch {
            // Without permission, there may be passwords.
            throw AccessFailure(path: path, reason: "cannot read the file: \(error)")
        }
        guard let status else { return Content() }
        let file = (status.identity, status.changed)
        if let last = content.file, last == file { return content }
        let bytes: [UInt8]?
        do throws(SystemFault) {
            bytes = try OpenFile.bytes(ofFile: path, upTo: Self.maximumSize)
        } catch {
            throw AccessFailure(path: path, reason: "cannot read the file: \(error)")
        }
        guard let bytes, let text = String(validating: bytes, as: UTF8.self), let records = Self.records(in: text)
        else {
            throw AccessFailure(
                path: path,
                reason:
                    "the file is malformed, or of a newer version; remove it, and set passwords, tokens and accounts again"
            )
        }
        return Content(records: records, file: file)
    }

    private static func records(in text: String) -> AccessRecords? {
        // A character of a name may join a space or a line feed before it.
        var lines = text.unicodeScalars.split(separator: "\n").map(Substring.init)[...]
        guard let first = lines.popFirst(), [header, formerHeader].contains(String(first)) else { return nil }
        var records = AccessRecords()
        for line in lines {
            let words = line.unicodeScalars
                .split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false).map(Substring.init)
            let scopes = words[0].split(separator: "/").dropFirst().map { AccessScope(rawValue: String($0)) }
            switch (words[0].prefix { $0 != "/" }, words.count) {
            case ("administrator", 2):
                guard let hash = PasswordHash(stored: String(words[1])) else { return nil }
                records.administrator = hash
            case ("reader", 2):
                guard let hash = PasswordHash(stored: String(words[1])) else { return nil }
                records.reader = hash
            case ("token", 5):
                let used = Int64(words[3])
                guard words[1].utf8.count == 64, let created = Int64(words[2]), used != nil || words[3] == "-",
                    AccessToken.isName(String(words[4])), records.tokens.count < AccessToken.maximumCount,
                    !scopes.contains(nil)
                else { return nil }
                records.tokens.append(
                    AccessToken(
                        name: String(words[4]), scopes: scopes.isEmpty ? [.read] : Set(scopes.compactMap(\.self)),
                        created: Instant(secondsSince1970: created),
                        used: used.map(Instant.init(secondsSince1970:)), digest: String(words[1])))
            case ("account", 4):
                let texts = words[1...].compactMap { String(percentDecoding: $0.utf8) }
                guard texts.count == 3 else { return nil }
                records.accounts[AccountName(username: texts[0], url: texts[1])] = texts[2]
            default: return nil
            }
        }
        return records
    }

    private func write(_ records: AccessRecords) throws(AccessFailure) {
        var text = Self.header + "\n"
        if let hash = records.administrator { text += "administrator \(hash.text)\n" }
        if let hash = records.reader { text += "reader \(hash.text)\n" }
        for token in records.tokens {
            let used = token.used.map { String($0.secondsSince1970) } ?? "-"
            let scopes = token.scopes == [.read] ? [] : token.scopes.map(\.rawValue).sorted()
            text += (["token"] + scopes).joined(separator: "/")
            text += " \(token.digest) \(token.created.secondsSince1970) \(used) \(token.name)\n"
        }
        text += records.accounts.map { account, password in
            "account \(account.username.percentEncoded) \(account.url.percentEncoded) \(password.percentEncoded)\n"
        }.sorted().joined()
        do throws(ReplacedFile.Failure) {
            let file = try ReplacedFile(at: path, permissions: .ownerOnly)
            file.inheritOwner(of: owner)
            try file.write(Array(text.utf8))
            try file.replace()
        } catch {
            throw AccessFailure(path: path, reason: "cannot \(error.operation.rawValue) the file: \(error.fault)")
        }
    }

    /// The owner of the guide or of its folder, who runs the service, even if root sets the password.
    private var owner: FileStatus? { FileStatus(path: guide) ?? FileStatus(path: FilePath.folder(of: guide)) }

    /// Waits for other processes that change the file. The lock ends with the returned file.
    private func lock() throws(AccessFailure) -> OpenFile {
        let place = path + "-lock"
        let descriptor = unsafe open(place, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw AccessFailure(path: place, reason: "cannot create the file: \(SystemFault.last)")
        }
        let file = OpenFile(owning: descriptor)
        file.inheritOwner(of: owner)
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw AccessFailure(path: place, reason: "cannot lock the file: \(SystemFault.last)")
            }
        }
        return file
    }
}

/// The file with passwords and tokens cannot be read or written.
package struct AccessFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the file.
    package let path: String
    /// The reason, without a period.
    package let reason: String

    package var description: String { "\(path): \(reason)" }
}
