import EPGModel
import EPGRefresh
import Logging
import Synchronization
import Testing

/// The whole way from a server and a file to the import, night after night.
@Suite struct RefreshOverHTTPTests {
    private let night = Instant(secondsSince1970: 1_774_753_200)

    private func refresher(_ store: MemoryStore, _ recorder: ImportRecorder) -> Refresher {
        Refresher(
            guide: store, fetcher: GuideFetcher(userAgent: "swift-epg/test"),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { fetched, _ in
            try recorder.importGuide(fetched)
        }
    }

    @Test func guideIsImportedOnlyWhereItsBytesChanged() throws {
        // Tag and body of each night.
        let guide = Mutex((tag: "\"1\"", body: "<tv>1</tv>"))
        let server = try LoopbackServer { request in
            let (tag, body) = guide.withLock { $0 }
            return request.headers["if-none-match"] == tag
                ? .raw("HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n")
                : .status("200 OK", headers: ["ETag: \(tag)"], body: body)
        }
        defer { server.stop() }
        let store = MemoryStore([Source(name: "a", location: server.address())])
        let recorder = ImportRecorder(store: store)
        let refresher = refresher(store, recorder)
        let nights = [
            ("\"1\"", "<tv>1</tv>"), ("\"1\"", "<tv>1</tv>"), ("\"2\"", "<tv>1</tv>"), ("\"2\"", "<tv>1</tv>"),
            ("\"3\"", "<tv>3</tv>"),
        ]
        var outcomes: [String] = []
        for (index, (tag, body)) in nights.enumerated() {
            guide.withLock { $0 = (tag, body) }
            let report = try refresher.refresh(at: night.advanced(by: Int64(index) * 86_400))
            outcomes += report.sources.map(\.outcome.keyword)
            #expect(report.failureText.isEmpty)
        }
        #expect(outcomes == ["imported", "not-modified", "unchanged", "not-modified", "imported"])
        #expect(recorder.texts == ["<tv>1</tv>", "<tv>3</tv>"])
    }

    @Test func oneFailingSourceAmongThreeLeavesTheOthers() throws {
        let folder = try TestFolder()
        let path = try folder.write("<tv>file</tv>", to: "guide.xml")
        let server = try LoopbackServer { request in
            request.path == "/there" ? .status("200 OK", body: "<tv>web</tv>") : .status("404 Not Found")
        }
        defer { server.stop() }
        let store = MemoryStore([
            Source(name: "a", location: "file://\(path)"), Source(name: "b", location: server.address("/gone")),
            Source(name: "c", location: server.address("/there")),
        ])
        let recorder = ImportRecorder(store: store)
        let report = try refresher(store, recorder).refresh(at: night)
        #expect(report.sources.map(\.outcome.keyword) == ["imported", "failed", "imported"])
        #expect(recorder.texts == ["<tv>file</tv>", "<tv>web</tv>"])
        #expect(report.exitCode == 69)
        #expect(store.state(of: "b").lastError?.contains("status 404") == true)

        let again = try refresher(store, recorder).refresh(at: night)
        #expect(again.sources.map(\.outcome.keyword) == ["unchanged", "failed", "unchanged"])
    }

    @Test func changedFileIsImportedAgain() throws {
        let folder = try TestFolder()
        let path = try folder.write("<tv>1</tv>", to: "guide.xml")
        let store = MemoryStore([Source(name: "a", location: path)])
        let recorder = ImportRecorder(store: store)
        let refresher = refresher(store, recorder)
        _ = try refresher.refresh(at: night)
        try folder.write("<tv>2</tv>", to: "guide.xml")
        _ = try refresher.refresh(at: night)
        #expect(recorder.texts == ["<tv>1</tv>", "<tv>2</tv>"])
    }
}
