import EPGModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EPGAccess

@Suite struct PasswordHashTests {
    /// Computed by Perl's crypt with libxcrypt.
    @Test func hashOfAnotherProgramMatches() throws {
        let hash = try #require(
            PasswordHash(stored: "$y$j9T$abcdefghijklmnop$F7kfVk.oOhV81K9PnQ5GcZ31QaSOFBtNI3Y3euDcm9C"))
        try expectEqual(hash.matches("correct horse battery"), true)
        try expectEqual(hash.matches("correct horse batterx"), false)
        try expectEqual(hash.matches("correct horse battery "), false)
        try expectEqual(hash.matches(""), false)
    }

    @Test func hashesHaveDifferentSalts() throws {
        let (one, two) = (try PasswordHash(of: "seven words"), try PasswordHash(of: "seven words"))
        #expect(one != two)
        try expectEqual((one.matches("seven words"), two.matches("seven words")), (true, true))
        #expect(one.text.hasPrefix("$y$"))
    }

    /// libcrypt rejects 512 bytes (crypt(3), `CRYPT_MAX_PASSPHRASE_SIZE`).
    @Test func longestPasswordMatches() throws {
        let password = String(repeating: "é", count: 255) + "x"
        expectEqual(password.utf8.count, 511)
        try expectEqual(PasswordHash(of: password).matches(password), true)
    }

    @Test(arguments: ["", "ninechars", String(repeating: "x", count: 512)])
    func passwordOfBadLengthIsRejected(password: String) {
        #expect(throws: PasswordFailure.length) { try PasswordHash(of: password) }
    }

    @Test func passwordWithNullCharacterIsRejected() {
        #expect(throws: PasswordFailure.character) { try PasswordHash(of: "abcdefghij\0k") }
    }

    @Test(arguments: ["", "x", "*0", "$6$salt$hash", "$y$ with blanks", "$y$" + String(repeating: "a", count: 400)])
    func otherTextIsNoHash(text: String) {
        expectEqual(PasswordHash(stored: text), nil)
    }

    @Test func descriptionsAndDumpsDoNotShowTheHash() throws {
        let hash = try PasswordHash(of: "a secret of ours")
        var dumped = ""
        dump(hash, to: &dumped)
        for text in ["\(hash)", String(reflecting: hash), dumped] { #expect(!text.contains("$y$")) }
    }

    @Test func randomSecretsHave256BitsAndDiffer() {
        let secrets = Set((0..<1000).map { _ in RandomSecret.make() })
        expectEqual(secrets.count, 1000)
        #expect(secrets.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{64}/) != nil })
    }
}

@Suite struct AccessStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "access-\(UUID().uuidString)")
    private let now = Instant(secondsSince1970: 1_792_865_400)

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func store() -> AccessStore { AccessStore(besideGuide: folder.path + "/guide.sqlite") }

    @Test func missingFileHasNoPasswordAndNoToken() throws {
        try expectEqual(store().records(), AccessRecords())
    }

    @Test func anotherProcessReadsWhatWasStored() throws {
        let hash = try PasswordHash(of: "correct horse")
        let text = try store().change { records in
            records.administrator = hash
            let (token, text) = AccessToken.make(named: "my player, 2nd", at: now)
            records.tokens.append(token)
            return text
        }
        let records = try store().records()
        expectEqual(records.administrator, hash)
        expectEqual(records.reader, nil)
        expectEqual(records.tokens.map(\.name), ["my player, 2nd"])
        expectEqual(records.token(text), records.tokens[0])
        expectEqual(records.token(text + "0"), nil)
        expectEqual(records.token(""), nil)
    }

    @Test func scopesAndAccountsAreStored() throws {
        let scopes: [Set<AccessScope>] = [[.read], [.imports, .watch], Set(AccessScope.allCases)]
        let accounts = [
            AccountName(username: "ann, täglich", url: "https://a.example/x y"): "harbour lights",
            AccountName(username: "ann, täglich", url: "https://b.example/"): "100 % \"x\"\\",
        ]
        try store().change { records in
            // The first scalar of a name joins the space before it to a character.
            records.tokens = scopes.map { AccessToken.make(named: "\u{301}t \($0.count)", for: $0, at: now).token }
            records.accounts = accounts
        }
        let records = try store().records()
        expectEqual(records.tokens.map(\.name), ["\u{301}t 1", "\u{301}t 2", "\u{301}t \(AccessScope.allCases.count)"])
        expectEqual(records.tokens.map(\.scopes), scopes)
        expectEqual(records.accounts, accounts)
        let text = try String(contentsOfFile: folder.path + "/guide.sqlite-access", encoding: .utf8)
        // As earlier versions wrote it.
        #expect(text.contains("\ntoken "))
        #expect(text.contains("\ntoken/import/watch "))
    }

    @Test func onlyTheOwnerReadsTheFileAndItHasNoToken() throws {
        let text = try store().change { records in
            let (token, text) = AccessToken.make(named: "a", at: now)
            records.tokens.append(token)
            return text
        }
        let path = folder.path + "/guide.sqlite-access"
        let mode = try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        expectEqual(mode, 0o600)
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains(text))
    }

    @Test func changeOfAnotherProcessIsSeenWithinTwoSeconds() async throws {
        let (one, two) = (store(), store())
        try expectEqual(one.records().administrator, nil)
        let hash = try PasswordHash(of: "correct horse")
        try two.change { $0.administrator = hash }
        let end = ContinuousClock.now + .seconds(30)
        while try one.records().administrator == nil, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
        try expectEqual(one.records().administrator, hash)
    }

    @Test func failedChangeLeavesTheFile() throws {
        struct Stop: Error {}
        let hash = try PasswordHash(of: "correct horse")
        try store().change { $0.administrator = hash }
        #expect(throws: Stop.self) {
            try store().change { records in
                records.administrator = nil
                throw Stop()
            }
        }
        try expectEqual(store().records().administrator, hash)
    }

    @Test(arguments: [
        "", "epg-access 3\n", "epg-access 1\nadministrator\n", "epg-access 1\nadministrator plain\n",
        "epg-access 1\nsomething else\n", "epg-access 1\ntoken abc 1 - name\n",
        "epg-access 1\ntoken/everything \(String(repeating: "0", count: 64)) 1 - name\n", "epg-access 2\naccount a b\n",
    ])
    func malformedFileIsAnErrorAndNotAnEmptyOne(text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder.path + "/guide.sqlite-access"))
        #expect(throws: AccessFailure.self) { try store().records() }
    }

    @Test func useOfATokenIsStored() throws {
        let store = store()
        let text = try store.change { records in
            let (token, text) = AccessToken.make(named: "a", at: now)
            records.tokens.append(token)
            return text
        }
        let token = try #require(try store.records().token(text))
        expectEqual(store.use(token, at: now), true)
        // It is still to be stored.
        expectEqual(store.use(token, at: now), false)
        try store.storeUses()
        try expectEqual(self.store().records().tokens.first?.used, now)
        // The next ten minutes need not be stored.
        let next = self.store()
        let used = try #require(try next.records().token(text))
        expectEqual(next.use(used, at: now.advanced(by: 599)), false)
        expectEqual(next.use(used, at: now.advanced(by: 600)), true)
    }

    @Test func useThatCannotBeStoredIsNotTriedForEachRequest() throws {
        let store = store()
        let text = try store.change { records in
            let (token, text) = AccessToken.make(named: "a", at: now)
            records.tokens.append(token)
            return text
        }
        let token = try #require(try store.records().token(text))
        expectEqual(store.use(token, at: now), true)
        try FileManager.default.removeItem(at: folder)
        #expect(throws: AccessFailure.self) { try store.storeUses() }
        expectEqual(store.use(token, at: now), false)
    }

    /// Another thread reads the current records while a change waits for the lock of another process, or for the disk.
    @Test func currentRecordsAreKnownDuringAChange() throws {
        let store = store()
        try store.change { $0.tokens.append(AccessToken.make(named: "a", at: now).token) }
        try store.change { records in
            records.tokens = []
            expectEqual(store.knownRecords?.tokens.count, 1)
            let read = try store.records()
            expectEqual(read.tokens.count, 1)
        }
        expectEqual(store.knownRecords?.tokens.isEmpty, true)
    }

    @Test func rolesHaveDifferentPasswords() throws {
        let store = store()
        try store.setPassword("correct horse", of: .administrator)
        #expect(throws: PasswordFailure.shared) { try store.setPassword("correct horse", of: .reader) }
        try store.setPassword("staple battery", of: .reader)
        #expect(throws: PasswordFailure.shared) { try store.setPassword("staple battery", of: .administrator) }
        try expectEqual(store.records().administrator?.matches("correct horse"), true)
        try expectEqual(store.records().reader?.matches("staple battery"), true)
    }

    @Test func firstPasswordReplacesNoOther() throws {
        try store().setPassword("correct horse", of: .administrator, isFirst: true)
        #expect(throws: PasswordFailure.exists) {
            try store().setPassword("staple battery", of: .administrator, isFirst: true)
        }
        try expectEqual(store().records().administrator?.matches("correct horse"), true)
    }

    /// As `sudo epg admin` on the machine of a service that runs as another user.
    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func fileOfRootBelongsToTheOwnerOfTheGuide() throws {
        let path = folder.path + "/guide.sqlite"
        func owner(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? Int
        }
        expectEqual(chown(folder.path, 12_345, 12_346), 0)
        try store().change { _ in }
        try expectEqual(owner(path + "-access"), 12_345)
        try expectEqual(owner(path + "-access-lock"), 12_345)
        // The guide decides if it exists, also for files that an earlier version gave to root.
        try Data().write(to: URL(filePath: path))
        expectEqual((chown(path, 12_347, 12_347), chown(path + "-access", 0, 0)), (0, 0))
        try store().change { _ in }
        try expectEqual(owner(path + "-access"), 12_347)
        try expectEqual(owner(path + "-access-lock"), 12_347)
        let mode = try FileManager.default.attributesOfItem(atPath: path + "-access")[.posixPermissions] as? Int
        expectEqual(mode, 0o600)
    }

    /// The status of a path below a file is `ENOTDIR`.
    @Test func fileWithoutStatusIsAnErrorAndNotAnEmptyOne() throws {
        try Data().write(to: URL(filePath: folder.path + "/file"))
        let store = AccessStore(besideGuide: folder.path + "/file/guide.sqlite")
        #expect(throws: AccessFailure.self) { try store.records() }
    }

    @Test(arguments: ["", " a", "a ", "a\nb", String(repeating: "x", count: 65)])
    func textIsNoName(text: String) { expectEqual(AccessToken.isName(text), false) }
}
