import EPGCalendar
import EPGModel
import HTTPTypes
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import EPGHTTP

extension CachedResponse {
    /// Returns an incompressible response of `count` bytes.
    static func sample(bytes count: Int) -> CachedResponse {
        CachedResponse(
            Document(MediaType("image/png", isText: false), ByteBuffer(repeating: 7, count: count)),
            route: "/x", freshness: .revalidated, headers: [:], pictures: .service)
    }
}

@Suite struct ResponseCacheTests {
    @Test func cacheNeverExceedsItsCapacity() throws {
        let cache = ResponseCache(capacity: 100_000)
        for number in 0..<1000 {
            cache.insert(CachedResponse.sample(bytes: 1000), for: "key \(number)")
            #expect(cache.counts.bytes <= 100_000)
        }
        #expect(cache.counts.entries > 20)
        expectEqual(cache.counts.evictions, 1000 - cache.counts.entries)
    }

    @Test func usedResponsesAreKeptAndUnusedOnesAreEvicted() throws {
        let cache = ResponseCache(capacity: 100_000)
        cache.insert(CachedResponse.sample(bytes: 1000), for: "wanted")
        for number in 0..<1000 {
            #expect(cache.response(for: "wanted") != nil)
            cache.insert(CachedResponse.sample(bytes: 1000), for: "key \(number)")
        }
        expectNil(cache.response(for: "key 0"))
    }

    @Test func responseLargerThanAnEighthOfTheCapacityIsNotCached() throws {
        let cache = ResponseCache(capacity: 100_000)
        cache.insert(CachedResponse.sample(bytes: 20_000), for: "large")
        expectNil(cache.response(for: "large"))
        expectEqual(cache.counts.bytes, 0)
    }

    // MARK: - Prepared targets

    private let now = Instant(secondsSince1970: 600)

    @Test func newEpochDropsPreparedTargetsAndAnOldEpochAddsNone() throws {
        let cache = ResponseCache(capacity: 1 << 20)
        cache.insert(CachedResponse.sample(bytes: 10), for: "key")
        cache.prepare("/old", for: "key", epoch: 1, minute: nil)
        #expect(cache.response(preparedFor: "/old", epoch: 1, now: now) != nil)
        cache.prepare("/new", for: "key", epoch: 2, minute: nil)
        cache.prepare("/late", for: "key", epoch: 1, minute: nil)
        for target in ["/old", "/late"] {
            for epoch in [1, 2] as [UInt64] {
                expectNil(cache.response(preparedFor: target, epoch: epoch, now: now), "\(target) \(epoch)")
            }
        }
        #expect(cache.response(preparedFor: "/new", epoch: 2, now: now) != nil)
    }

    @Test func targetThatFollowsTheClockIsValidForItsMinute() throws {
        let cache = ResponseCache(capacity: 1 << 20)
        cache.insert(CachedResponse.sample(bytes: 10), for: "key")
        cache.prepare("/x", for: "key", epoch: 1, minute: 10)
        for (second, isValid) in [(599, false), (600, true), (659, true), (660, false)] {
            let now = Instant(secondsSince1970: Int64(second))
            expectEqual(cache.response(preparedFor: "/x", epoch: 1, now: now) != nil, isValid, "\(second)")
        }
    }

    @Test func targetOfEvictedResponseIsRemoved() throws {
        let cache = ResponseCache(capacity: 100_000)
        cache.insert(CachedResponse.sample(bytes: 10_000), for: "key")
        cache.prepare("/x", for: "key", epoch: 1, minute: nil)
        for number in 0..<20 { cache.insert(CachedResponse.sample(bytes: 10_000), for: "\(number)") }
        expectNil(cache.response(preparedFor: "/x", epoch: 1, now: now))
    }

    /// A URL can be written in many ways, and each of them is a separate target.
    @Test func numberAndLengthOfTargetsAreLimited() throws {
        let cache = ResponseCache(capacity: 1 << 20)
        cache.insert(CachedResponse.sample(bytes: 10), for: "key")
        cache.prepare("/first", for: "key", epoch: 1, minute: nil)
        // A sixteenth of the capacity, 65,536 bytes, holds fewer than 600 targets of more than 128 bytes each.
        for number in 0..<600 { cache.prepare("/x?\(number)", for: "key", epoch: 1, minute: nil) }
        expectNil(cache.response(preparedFor: "/first", epoch: 1, now: now))
        #expect(cache.response(preparedFor: "/x?599", epoch: 1, now: now) != nil)
        let long = "/" + String(repeating: "x", count: 2048)
        cache.prepare(long, for: "key", epoch: 1, minute: nil)
        expectNil(cache.response(preparedFor: long, epoch: 1, now: now))
    }
}
