import EPGFiles
import Glibc
import TestSupport
import Testing

/// Open files and the status of files.
@Suite struct OpenFileTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let longName = String(repeating: "x", count: 300)

    // MARK: - Opening

    /// The errno values that open(2) sets. 0 means no error.
    @Test(
        arguments: [
            ("text", 0, 0), ("link", 0, 0), ("folder", 0, EISDIR), ("missing", ENOENT, ENOENT),
            ("dangling", ENOENT, ENOENT),
            ("loop", ELOOP, ELOOP), ("text/below", ENOTDIR, ENOTDIR), (longName, ENAMETOOLONG, ENAMETOOLONG),
            ("/dev/null", 0, 0),
        ] as [(String, Int32, Int32)])
    func missingFileIsNotCreated(name: String, reading: Int32, writing: Int32) {
        let before = scratch.names
        let found = [
            fault { () throws(SystemFault) in _ = try OpenFile(reading: scratch(name)) },
            fault { () throws(SystemFault) in _ = try OpenFile(writing: scratch(name)) },
        ]
        expectEqual(found, [reading, writing])
        expectEqual(scratch.names, before)
    }

    @Test func temporaryFileIsUniqueAndPrivate() throws {
        let files = try (0..<2).map { _ in try OpenFile.temporary(withPrefix: scratch(".part-")) }
        for (file, path) in files {
            #expect(path.hasPrefix(scratch(".part-")) && path.count == scratch(".part-").count + 6)
            try expectEqual([file.status.mode, mode_t(fcntl(file.descriptor, F_GETFD))], [0o600, mode_t(FD_CLOEXEC)])
            try expectEqual(file.status.identity, FileStatus(path: path)?.identity)
        }
        #expect(files[0].path != files[1].path)
        let number = fault { () throws(SystemFault) in _ = try OpenFile.temporary(withPrefix: scratch("missing/part-"))
        }
        expectEqual(number, ENOENT)
    }

    /// A reader of a pipe sees the end when its last writer is closed.
    @Test func fileIsClosedWithItsLastReference() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        for end in ends { expectEqual((fcntl(end, F_SETFD, FD_CLOEXEC), fcntl(end, F_SETFL, O_NONBLOCK)), (0, 0)) }
        let reader = OpenFile(owning: ends[0])
        var writer: OpenFile? = OpenFile(owning: ends[1])
        try writer?.write(Scratch.text)
        var bytes = [UInt8](repeating: 0, count: 8)
        try expectEqual((reader.read(into: &bytes, upTo: 8), bytes), (8, Scratch.text))
        expectEqual(fault { () throws(SystemFault) in _ = try reader.rest(upTo: 8) }, EAGAIN)
        writer = nil
        try expectEqual(reader.rest(upTo: 8), [])
        expectEqual(fault { () throws(SystemFault) in try reader.seek(to: 0) }, ESPIPE)
    }

    // MARK: - Reading

    /// Other kinds of files are not read. Opening the pipe does not wait for a writer. `nil` is no result.
    @Test(
        arguments: [
            ("text", 100, 8), ("link", 8, 8), ("text", 3, 3), ("text", 0, 0), ("empty", 100, 0),
            ("long", 1 << 20, 40_000),
            ("long", 20_000, 20_000), ("folder", 100, nil), ("pipe", 100, nil), ("/dev/zero", 100, nil),
            ("missing", 100, nil),
            ("dangling", 100, nil), ("loop", 100, nil), ("text/below", 100, nil), (longName, 100, nil),
        ] as [(String, Int, Int?)])
    func regularFileIsReadUpToALimit(name: String, limit: Int, count: Int?) throws {
        let content = name == "long" ? Scratch.long : Scratch.text
        try expectEqual(OpenFile.bytes(ofFile: scratch(name), upTo: limit), count.map { Array(content.prefix($0)) })
    }

    @Test(.enabled(if: geteuid() != 0, "root can read every file")) func unreadableFileIsAnError() {
        chmod(scratch("text"), 0)
        let number = fault { () throws(SystemFault) in _ = try OpenFile.bytes(ofFile: scratch("text"), upTo: 8) }
        expectEqual(number, EACCES)
    }

    @Test func readContinuesAtThePosition() throws {
        let file = try OpenFile(reading: scratch("text"))
        var buffer = Array("........".utf8)
        try expectEqual((file.read(into: &buffer, at: 2, upTo: 3), buffer), (3, Array("..old...".utf8)))
        try expectEqual(file.rest(upTo: 2), Array(" t".utf8))
        // Reads of a range do not move the position.
        try expectEqual(file.bytes(in: 0..<8), Scratch.text)
        let got = try buffer.withUnsafeMutableBytes { try file.read(into: $0, from: 4) }
        expectEqual((got, buffer), (4, Array("textd...".utf8)))
        try expectEqual(file.rest(upTo: 100), Array("ext".utf8))
        try expectEqual(file.read(into: &buffer, upTo: 8), 0)
        try file.seek(to: 6)
        try expectEqual(file.rest(upTo: 100), Array("xt".utf8))
    }

    @Test(
        arguments: [
            (0..<0, []), (0..<3, Array("old".utf8)), (4..<8, Array("text".utf8)), (4..<9, nil), (8..<9, nil),
            (8..<8, []),
        ] as [(Range<Int>, [UInt8]?)])
    func rangeBeyondTheEndIsAnError(range: Range<Int>, expected: [UInt8]?) throws {
        let file = try OpenFile(reading: scratch("text"))
        var found: [UInt8]?
        let number = fault { () throws(SystemFault) in found = try file.bytes(in: range) }
        expectEqual(found, expected)
        expectEqual(number, (expected == nil ? EIO : 0))
    }

    // MARK: - Writing

    @Test(arguments: [
        ("at the start", false, false, 0, "NEW text"), ("at a position", false, false, 4, "old NEWt"),
        ("at the end", true, false, 0, "old textNEW"), ("after the content was removed", false, true, 4, "NEW"),
    ])
    func bytesAreWritten(place: String, appends: Bool, truncates: Bool, position: Int, expected: String) throws {
        let file = try OpenFile(writing: scratch("text"), appends: appends)
        try file.seek(to: position)
        if truncates { try file.truncate() }
        try file.write(Array("NEW".utf8))
        try file.synchronize()
        try expectEqual(scratch.content("text"), Array(expected.utf8), "\(place)")
        // The file keeps its content for its readers after its name is removed.
        unlink(scratch("text"))
        try expectEqual(OpenFile.bytes(ofFile: file.ownPath, upTo: 100), Array(expected.utf8))
    }

    @Test func writeAtAPositionKeepsTheRest() throws {
        let file = try OpenFile(writing: scratch("text"))
        let count = try Array("NEW".utf8).withUnsafeBytes { try file.write($0, at: 6) }
        expectEqual(count, 3)
        try expectEqual(scratch.content("text"), Array("old teNEW".utf8))
        let reader = try OpenFile(reading: scratch("text"))
        expectEqual(fault { () throws(SystemFault) in try reader.write([1]) }, EBADF)
    }

    // MARK: - Status

    struct Status: Hashable, Sendable {
        var isRegular = false
        var isFolder = false
        var size = 0
    }

    @Test(
        arguments: [
            ("empty", Status(isRegular: true)), ("text", Status(isRegular: true, size: 8)),
            ("link", Status(isRegular: true, size: 8)), ("long", Status(isRegular: true, size: 40_000)),
            ("pipe", Status()), ("/dev/null", Status()), ("missing", nil), ("dangling", nil),
        ] as [(String, Status?)])
    func statusDescribesTargetOfLink(name: String, expected: Status?) throws {
        let found = FileStatus(path: scratch(name))
        expectEqual(found.map { Status(isRegular: $0.isRegular, isFolder: $0.isFolder, size: $0.size) }, expected)
        try expectEqual(FileStatus.ofFile(at: scratch(name))?.identity, found?.identity)
        expectEqual(FileStatus.exists(scratch(name)), (expected != nil))
    }

    @Test func folderIsNotARegularFile() {
        let status = FileStatus(path: scratch("folder"))
        expectEqual([status?.isFolder, status?.isRegular], [true, false])
    }

    /// Otherwise, an unreachable file would count as missing, and would be replaced.
    @Test(arguments: [("text/below", ENOTDIR), ("loop", ELOOP), (longName, ENAMETOOLONG), ("missing", 0)])
    func fileWithoutStatusIsNotMissing(name: String, number: Int32) {
        expectEqual(fault { () throws(SystemFault) in _ = try FileStatus.ofFile(at: scratch(name)) }, number)
    }

    @Test func identityFollowsTheFileAndNotItsName() throws {
        let text = try #require(FileStatus(path: scratch("text")))
        expectEqual([text.user, text.group], [geteuid(), getegid()])
        chmod(scratch("text"), 0o4640)
        link(scratch("text"), scratch("other name"))
        rename(scratch("long"), scratch("text"))
        let (other, new) = (FileStatus(path: scratch("other name")), FileStatus(path: scratch("text")))
        #expect(other?.identity == text.identity && new?.identity != text.identity)
        expectEqual([other?.mode, other.map { mode_t($0.nameCount) }], [0o4640, 1])
        // Renaming changes the inode of the renamed file.
        #expect(try #require(new).changed >= text.changed)
    }
}
