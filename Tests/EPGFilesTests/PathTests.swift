import EPGFiles
import Foundation
import TestSupport
import Testing

/// Paths, environment variables and the messages of system errors.
@Suite struct PathTests {
    @Test(arguments: [
        ("a/b", "a", "a/x"), ("b", ".", "x"), ("/b", "/", "/x"), ("a/", "a", "a/x"), ("a/b/c", "a/b", "a/b/x"),
    ])
    func folderAndSiblingOfPathAreDerivedFromLastSlash(path: String, folder: String, sibling: String) {
        expectEqual([FilePath.folder(of: path), FilePath.sibling(of: path, named: "x")], [folder, sibling])
    }

    /// A path without a file is returned unchanged.
    @Test(arguments: [
        ("link", "text"), ("text", "text"), ("folder/../link", "text"), ("./folder/.", "folder"),
        ("dangling", "dangling"),
        ("loop", "loop"), ("missing/../text", "missing/../text"),
    ])
    func resolvedPathHasNoLinksAndNoDots(name: String, resolved: String) throws {
        let scratch = try Scratch()
        expectEqual(FilePath.resolved(scratch(name)), scratch(resolved))
    }

    @Test(
        arguments: [
            ("link", "text"), ("dangling", "nothing"), ("loop", "loop"), ("text", nil), ("folder", nil),
            ("missing", nil),
        ] as [(String, String?)])
    func onlySymbolicLinkHasTarget(name: String, target: String?) throws {
        let scratch = try Scratch()
        expectEqual(FilePath.target(ofLink: scratch(name)), target)
    }

    @Test func relativePathsStartAtWorkingFolder() throws {
        try expectEqual(FilePath.workingFolder(), FileManager.default.currentDirectoryPath)
        try expectEqual(FilePath.workingFolder(), FilePath.resolved("."))
    }

    @Test func variablesOfTheEnvironmentAreRead() {
        let all = ProcessInfo.processInfo.environment
        expectEqual(all.keys.sorted().map { Environment[$0] }, all.keys.sorted().map { all[$0] })
        expectEqual(Environment["SWIFT_EPG_MISSING_VARIABLE"], nil)
    }

    /// The messages of POSIX.1-2017, which the GNU and musl libraries use.
    @Test(arguments: [
        (ENOENT, "No such file or directory"), (EACCES, "Permission denied"), (EISDIR, "Is a directory"),
        (ENOSPC, "No space left on device"), (ENOTDIR, "Not a directory"),
    ])
    func errorIsDescribedByTheSystem(number: Int32, message: String) {
        expectEqual("\(SystemFault(number: number))", message)
    }
}
