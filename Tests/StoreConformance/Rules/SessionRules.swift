import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// An import session is one transaction.
    static let sessions: [StoreRule] = [
        StoreRule("A session stores contents, schedules and stations, and makes them visible together") { guide in
            let outcome = try guide.withSession { session in
                try session.addSample()
                return try session.commit(ImportReport(), state: nil)
            }
            expectEqual((outcome.changedGuide, outcome.generation), (true, Generation(1)))
            expectEqual((outcome.airings.inserted, outcome.stationsInserted), (1, 1))
            try expectEqual(guide.lines(of: "two"), ["20:00-21:00 Sample"])
            try expectEqual(guide.sources().map(\.source), [Source(name: "feed")])
            try expectEqual(guide.check().isIntact, true)
        },
        StoreRule("A canceled import session leaves the guide unchanged") { guide in
            try guide.importing(["one 20:00-21:00 Old"])
            let before = try guide.snapshot()
            try guide.withSession(of: Source(name: "other")) { session in
                try session.addSample()
                session.cancel()
            }
            try expectEqual(guide.snapshot(), before)
            try expectEqual(guide.importing(["one 20:00-21:00 Old"]).changedGuide, false)
            try expectEqual(guide.check().isIntact, true)
        },
        StoreRule("An abandoned import session leaves the guide unchanged") { guide in
            try guide.importing(["one 20:00-21:00 Old"])
            let before = try guide.snapshot()
            try guide.withSession(of: Source(name: "other")) { session in try session.addSample() }
            try expectEqual(guide.snapshot(), before)
            try expectEqual(guide.importing(["one 20:00-21:00 Old"]).changedGuide, false)
            try expectEqual(guide.check().isIntact, true)
        },
        StoreRule("A writer can continue after a canceled session") { guide in
            try guide.storage.write(waiting: .forOthers) { writer in
                let session = try writer.beginImport(of: Source(name: "feed"), now: Day.now)
                try session.addSample()
                session.cancel()
                try expectEqual(writer.stationCount(), 0)
                try writer.importing(text: Day.guide(["one 20:00-21:00 A"]))
                try expectEqual(writer.lines(), ["20:00-21:00 A"])
            }
        },
        StoreRule("The state of the source is committed with the import") { guide in
            var state = SourceState()
            (state.bodyHash, state.entityTag) = ("hash", "tag")
            state.lastSuccess = Day.now
            state.lastResult = .imported
            try guide.withSession { session in
                try session.addSample()
                _ = try session.commit(ImportReport(), state: state)
            }
            try expectEqual(
                guide.sourceRecords(), [SourceRecord(source: Source(name: "feed"), state: state, kind: .guide)])
            // An import without a state keeps the stored state.
            try guide.withSession { session in
                try session.addSample()
                _ = try session.commit(ImportReport(), state: nil)
            }
            try expectEqual(guide.sourceRecords().map(\.state), [state])
            // An import that changes nothing also commits its state.
            state.failures = 1
            let outcome = try guide.withSession { session in
                try session.addSample()
                return try session.commit(ImportReport(), state: state)
            }
            expectEqual(outcome.changedGuide, false)
            try expectEqual(guide.sourceRecords().map(\.state), [state])
        },
        StoreRule("A session has an index of the stored contents") { guide in
            let first = try guide.withSession { session in
                try session.addSample()
                _ = try session.commit(ImportReport(), state: nil)
                return session.contentKey
            }
            try guide.withSession { (session) throws in
                expectEqual(session.contentKey, first)
                var contents = try session.loadContentIndex()
                let digest = ProgrammeDigest.sample
                expectEqual(contents.nextProgramme, 2)
                expectEqual(contents.programmes.programme(readFrom: digest.bytes)?.id, 1)
                expectEqual(contents.programmes.programme(of: digest, orInsert: 9).origin, .known)
                // What a newer version computes differently from the same content is stored again.
                for change in [
                    { $0.titleKey = 7 }, { $0.richness = 7 }, { $0.version = 7 },
                    { $0.episodeKey = EpisodeKey(season: 1, episode: 7, part: nil, subtitle: nil) },
                ] as [(inout ProgrammeDigest) -> Void] {
                    var newer = digest
                    change(&newer)
                    var index = contents.programmes
                    expectEqual(index.programme(of: newer, orInsert: 9).origin, .updated)
                    expectEqual(index.programme(readFrom: digest.bytes)?.digest, newer)
                }
                // Other bytes have findings of their own, and the first ones keep theirs.
                var other = digest
                (other.bytes, other.findings) = (ContentHash(high: 8, low: 8), .doubleEncoding)
                expectEqual(
                    contents.programmes.programme(of: other, orInsert: 9).entry.digest.findings, .doubleEncoding)
                expectEqual(contents.programmes.programme(readFrom: other.bytes)?.digest.findings, .doubleEncoding)
                expectEqual(contents.programmes.programme(readFrom: digest.bytes)?.digest.findings, [])
                session.cancel()
            }
            // After an update by a newer version, its bytes find the programme.
            var newer = ProgrammeDigest.sample
            (newer.bytes, newer.version) = (ContentHash(high: 8, low: 8), 7)
            try guide.withSession { [newer] session in
                var contents = try session.loadContentIndex()
                expectEqual(contents.programmes.programme(of: newer, orInsert: 9).origin, .updated)
                var batch = ContentBatch()
                batch.digests = [(1, newer)]
                try session.append(batch)
                try session.addSample()
                _ = try session.commit(ImportReport(), state: nil)
            }
            try guide.withSession { [newer] session in
                var contents = try session.loadContentIndex()
                expectEqual(contents.programmes.programme(readFrom: newer.bytes)?.digest, newer)
                session.cancel()
            }
            #expect(try guide.another().withSession { $0.contentKey } != first, "each guide has its own key")
        },
        StoreRule("A released programme without an airing is not stored") { guide in
            try guide.withSession { session in
                try session.addSample()
                var batch = ContentBatch()
                (batch.texts, batch.documents) = (Array("Sample".utf8), Array("{}".utf8))
                var row = ContentBatch.ProgrammeRow(
                    id: 2,
                    digest: ProgrammeDigest(
                        content: ContentHash(high: 3, low: 3), bytes: ContentHash(high: 4, low: 4), titleKey: 0,
                        richness: 0, findings: []))
                row.document = ContentBatch.Field(offset: 0, count: 2)
                row.title = ContentBatch.Field(offset: 0, count: 6)
                batch.programmes = [row]
                try session.append(batch)
                try session.release([2])
                _ = try session.commit(ImportReport(), state: nil)
            }
            try expectEqual(guide.briefs(ofProgrammes: [1, 2]).map(\.number), [1])
            try expectEqual(guide.check().programmes, 1)
        },
    ]
}

extension ProgrammeDigest {
    /// The digest of the programme of a sample.
    fileprivate static let sample = ProgrammeDigest(
        content: ContentHash(high: 1, low: 1), bytes: ContentHash(high: 2, low: 2), titleKey: 0, richness: 0,
        findings: [])
}

extension ImportSession {
    /// Adds a station `two` with one airing from 20:00 to 21:00 of a programme with only a title.
    func addSample() throws {
        var contents = try loadContentIndex()
        let (known, origin) = contents.programmes.programme(of: .sample, orInsert: contents.nextProgramme)
        var batch = ContentBatch()
        (batch.texts, batch.documents) = (Array("Sample".utf8), Array("{}".utf8))
        if origin == .new {
            var row = ContentBatch.ProgrammeRow(id: known.id, digest: .sample)
            row.document = ContentBatch.Field(offset: 0, count: 2)
            row.title = ContentBatch.Field(offset: 0, count: 6)
            batch.programmes = [row]
        }
        try append(batch)
        let window = Day.window("20:00-21:00")
        let listings = NormalizedListings(
            airings: [ScheduledListing(window: window, programme: known.id)], coverage: window)
        let two = StationID("two")
        try replaceSchedule(of: two, with: listings)
        try setStations([(place: 0, id: two, nodes: [])])
    }
}
