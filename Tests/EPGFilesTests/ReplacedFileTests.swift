import EPGFiles
import Testing

/// Tests of paths and of files that replace others.
@Suite struct ReplacedFileTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let (_, path) = try OpenFile.temporary(withPrefix: "/tmp/swift-epg-tests-")
        try body(path)
    }

    @Test(arguments: [("a/b", "a", "a/x"), ("b", ".", "x"), ("/b", "/", "/x"), ("a/", "a", "a/x")])
    func folderAndSiblingOfPathAreDerivedFromLastSlash(path: String, folder: String, sibling: String) {
        #expect(FilePath.folder(of: path) == folder)
        #expect(FilePath.sibling(of: path, named: "x") == sibling)
    }

    @Test func oldFileStaysUntilReplacementIsComplete() throws {
        try withFolder { path in
            let old = try OpenFile(writing: path)
            try old.write(Array("old".utf8))
            let new = try ReplacedFile(at: path)
            try new.write(Array("new!".utf8))
            #expect(try OpenFile.bytes(ofFile: path, upTo: 100) == Array("old".utf8))
            try new.replace()
            #expect(try OpenFile.bytes(ofFile: path, upTo: 100) == Array("new!".utf8))
            #expect(FileStatus(path: path)?.mode == 0o600)
        }
    }

    @Test func folderIsNotReplaced() {
        #expect(throws: ReplacedFile.Failure.self) { try ReplacedFile(at: "/tmp") }
    }
}
