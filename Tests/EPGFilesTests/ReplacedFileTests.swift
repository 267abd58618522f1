import EPGFiles
import Glibc
import TestSupport
import Testing

/// A file replaces another file only when it is complete.
@Suite struct ReplacedFileTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test(arguments: ["text", "link", "missing"]) func oldFileStaysUntilReplacementIsComplete(name: String) throws {
        let (before, old) = (scratch.names, try scratch.content(name))
        let new = try ReplacedFile(at: scratch(name))
        try new.write(Array("new".utf8))
        try new.write(Array("!".utf8))
        try expectEqual(scratch.content(name), old)
        try new.replace()
        try expectEqual(scratch.content(name), Array("new!".utf8))
        // The link stays, and there is no temporary file.
        expectEqual(Set(scratch.names), Set(before).union([name]))
        expectEqual(FilePath.target(ofLink: scratch("link")), "text")
    }

    @Test(arguments: ["text", "missing"]) func incompleteFileLeavesNothing(name: String) throws {
        let (before, old) = (scratch.names, try scratch.content(name))
        do {
            let new = try ReplacedFile(at: scratch(name))
            try new.write(Scratch.long)
        }
        try expectEqual(scratch.content(name), old)
        expectEqual(scratch.names, before)
    }

    /// The default mode is the mode of `empty`, which `open` creates.
    @Test(
        arguments: [
            ("text", .inherited, 0o640), ("missing", .inherited, nil), ("text", .ownerOnly, 0o600),
            ("missing", .ownerOnly, 0o600),
        ] as [(String, ReplacedFile.Permissions, mode_t?)])
    func modeIsInheritedOrOwnerOnly(name: String, permissions: ReplacedFile.Permissions, mode: mode_t?) throws {
        chmod(scratch("text"), 0o640)
        try ReplacedFile(at: scratch(name), permissions: permissions).replace()
        #expect(FileStatus(path: scratch(name))?.mode == mode ?? FileStatus(path: scratch("empty"))?.mode)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root")) func ownerIsInherited() throws {
        chown(scratch("text"), 12_345, 12_346)
        try ReplacedFile(at: scratch("text")).replace()
        let status = FileStatus(path: scratch("text"))
        expectEqual([status?.user, status?.group], [12_345, 12_346])
        let other = try ReplacedFile(at: scratch("other"), permissions: .ownerOnly)
        other.inheritOwner(of: status)
        try other.replace()
        expectEqual(FileStatus(path: scratch("other"))?.user, 12_345)
    }

    @Test(
        arguments: [
            ("folder", .create, EISDIR), ("/tmp", .create, EISDIR), ("missing/new", .create, ENOENT),
            ("text/below", .create, ENOTDIR),
        ] as [(String, ReplacedFile.Failure.Operation, Int32)])
    func impossibleFileIsAnErrorBeforeItIsWritten(
        name: String, operation: ReplacedFile.Failure.Operation, number: Int32
    ) {
        let failure = #expect(throws: ReplacedFile.Failure.self) { try ReplacedFile(at: scratch(name)) }
        expectEqual((failure?.operation, failure?.fault.number), (operation, number), "\(String(describing: failure))")
    }

    @Test(.enabled(if: geteuid() != 0, "root can write every file")) func writeProtectedFileIsNotReplaced() {
        chmod(scratch("text"), 0o400)
        let failure = #expect(throws: ReplacedFile.Failure.self) { try ReplacedFile(at: scratch("text")) }
        expectEqual((failure?.operation, failure?.fault.number), (.write, EACCES))
    }

    @Test func specialFileIsWrittenDirectly() throws {
        let reader = try OpenFile(reading: scratch("pipe"), waits: false)
        let pipe = try ReplacedFile(at: scratch("pipe"))
        try pipe.write(Scratch.text)
        try pipe.replace()
        var bytes = [UInt8](repeating: 0, count: 8)
        try expectEqual((reader.read(into: &bytes, upTo: 8), bytes), (8, Scratch.text))
        expectEqual(FileStatus(path: scratch("pipe"))?.isRegular, false)
        try ReplacedFile(at: "/dev/null").replace()
        expectEqual(FileStatus(path: "/dev/null")?.isRegular, false)
    }
}
