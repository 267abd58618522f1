import EPGRefresh
import Glibc
import Testing

@Suite struct FileFetcherTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func reason(of path: String, limits: FetchLimits = FetchLimits()) -> FetchError.Reason? {
        let error = #expect(throws: FetchError.self) { try FileFetcher(limits: limits).fetch(path: path) }
        return error?.reason
    }

    @Test func fileIsReadWhereItStands() throws {
        let path = try folder.write("<tv></tv>", to: "guide.xml")
        let body = try FileFetcher().fetch(path: path)
        #expect(body.path == path)
        #expect(body.byteCount == 9)
        #expect(body.entityTag == nil)
        var hasher = BodyHasher()
        Array("<tv></tv>".utf8).withUnsafeBytes { hasher.append($0) }
        #expect(body.hash == hasher.finish())
    }

    @Test func missingFileIsTold() throws {
        let path = folder.path + "/none.xml"
        #expect(reason(of: path) == .cannotOpen(ENOENT))
        let error = FetchError(location: path, reason: .cannotOpen(ENOENT))
        #expect(error.exitCode == 66)
        #expect(error.description.hasPrefix("\(path): the file can't be opened (No such file or directory). "))
    }

    @Test func folderAndPipeAreNoGuides() throws {
        #expect(reason(of: folder.path) == .notRegularFile)
        #expect(reason(of: "/dev/zero") == .notRegularFile)
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(reason(of: pipe) == .notRegularFile)
    }

    @Test func emptyFileIsAFailure() throws {
        #expect(reason(of: try folder.write("", to: "empty.xml")) == .empty)
    }

    @Test func limitHoldsForFiles() throws {
        let path = try folder.write("12345678901", to: "guide.xml")
        #expect(reason(of: path, limits: FetchLimits(byteCount: 10)) == .tooLarge(limit: 10))
        #expect(try FileFetcher(limits: FetchLimits(byteCount: 11)).fetch(path: path).byteCount == 11)
    }
}
