import Glibc
import Testing

@testable import EPGRefresh

/// The kept guide: what damage of it does, and whose it is.
@Suite struct SchedulesDirectCacheTests {
    /// Changes one byte of the kept guide.
    private func damage(_ path: String, at offset: Int) throws {
        let descriptor = open(path, O_RDWR)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var byte: UInt8 = 0
        try #require(pread(descriptor, &byte, 1, off_t(offset)) == 1)
        byte ^= 1
        try #require(pwrite(descriptor, &byte, 1, off_t(offset)) == 1)
    }

    @Test func everyChangedByteIsFoundBeforeTheGuideIsHandedOver() throws {
        let bench = try SchedulesDirectBench()
        let tag = try bench.tag()
        let whole = try TestFolder.contents(of: bench.cachePath)
        let airings = try bench.airings()
        for offset in stride(from: 0, to: whole.utf8.count, by: 37) {
            try bench.folder.write(whole, to: "guide.json")
            try damage(bench.cachePath, at: offset)
            #expect(try bench.tag(known: nil) == tag, "the byte at \(offset)")
            #expect(try TestFolder.contents(of: bench.cachePath) == whole, "the byte at \(offset)")
        }
        #expect(try bench.airings() == airings)
    }

    @Test func guideThatIsCutOffOrSomethingElseIsFetchedAnew() throws {
        let bench = try SchedulesDirectBench()
        let tag = try bench.tag()
        let whole = try TestFolder.contents(of: bench.cachePath)
        let texts = ["", "{}", "<tv></tv>", String(whole.dropLast()), String(whole.prefix(200)), whole + "\n"]
        for text in texts {
            try bench.folder.write(text, to: "guide.json")
            #expect(try bench.tag(known: nil) == tag)
            #expect(try TestFolder.contents(of: bench.cachePath) == whole)
        }
    }

    @Test func damagedGuideAsksForEverythingAgain() throws {
        let bench = try SchedulesDirectBench()
        _ = try bench.tag()
        let whole = try TestFolder.contents(of: bench.cachePath)
        try bench.folder.write(whole.replacing("Harbour", with: "Herbour"), to: "guide.json")
        _ = bench.fake.takeRequests()
        _ = try bench.tag()
        let requests = bench.fake.takeRequests()
        #expect(requests.contains("GET /lineups/ZZZ-TEST-X"))
        #expect(requests.suffix(2) == ["POST /schedules", "POST /programs"])
    }

    @Test func guideOfAnotherAccountIsNotTaken() throws {
        let bench = try SchedulesDirectBench()
        _ = try bench.tag()
        let other = try SchedulesDirectBench { world in
            world.username = "viewer@example.org"
            world.titles["MV000000020000"] = "Another Field"
        }
        try bench.folder.write(try TestFolder.contents(of: bench.cachePath), to: "guide.json")
        try other.folder.write(try TestFolder.contents(of: bench.cachePath), to: "guide.json")
        // The other service is at another address.
        _ = try other.tag()
        #expect(other.fake.takeRequests().last == "POST /programs")
        #expect(try other.airings().contains("102 2026-03-28T19:00:00Z Another Field"))
    }

    @Test func guideIsKeptForItsOwnerAloneAndNothingIsLeftBesideIt() throws {
        let bench = try SchedulesDirectBench()
        try bench.folder.write("left by a run that was killed", to: "guide.json.new")
        _ = try bench.tag()
        #expect(bench.folder.names == ["guide.json"])
        var status = stat()
        #expect(stat(bench.cachePath, &status) == 0)
        #expect(status.st_mode & 0o077 == 0)
    }

    @Test func orderOfAnswersDoesNotChangeTheGuide() throws {
        let one = try SchedulesDirectBench()
        let two = try SchedulesDirectBench()
        _ = try one.tag(one.fetcher(limits: SchedulesDirectLimits(stations: 1, contents: 1)))
        _ = try two.tag()
        // All but the index, which says whose it is.
        let texts = try [one, two].map { bench in
            try TestFolder.contents(of: bench.cachePath).split(separator: "\"index\":").first
        }
        #expect(texts[0] == texts[1])
    }
}
