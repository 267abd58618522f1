import EPGModel
import Testing

@testable import EPGRefresh

@Suite struct RetryPolicyTests {
    /// The attempts so far, the number drawn, and the wait in milliseconds: half of 2, 4, 8 … seconds is drawn.
    @Test(arguments: [
        (1, 0.0, 1000), (1, 0.5, 1500), (2, 0.0, 2000), (3, 0.0, 4000), (3, 0.5, 6000), (6, 0.0, 30_000),
        (60, 0.0, 30_000), (5_000, 0.0, 30_000),
    ])
    func waitsDoubleUpToTheLongest(attempt: Int, random: Double, expected: Int) {
        let policy = RetryPolicy(attempts: .max)
        #expect(policy.delay(afterAttempt: attempt, random: random) == .milliseconds(expected))
    }

    @Test func lastAttemptIsFollowedByNone() {
        #expect(RetryPolicy().delay(afterAttempt: 3, random: 0) != nil)
        #expect(RetryPolicy().delay(afterAttempt: 4, random: 0) == nil)
        #expect(RetryPolicy.never.delay(afterAttempt: 1, random: 0) == nil)
    }

    @Test func serverIsLeftAloneForAsLongAsItAsksUpToALimit() {
        let policy = RetryPolicy()
        #expect(policy.delay(afterAttempt: 1, retryAfter: 30, random: 0) == .seconds(30))
        #expect(policy.delay(afterAttempt: 1, retryAfter: 30, random: 0.5) == .milliseconds(31_500))
        #expect(policy.delay(afterAttempt: 1, retryAfter: 300, random: 0) == .seconds(300))
        #expect(policy.delay(afterAttempt: 1, retryAfter: 301, random: 0) == nil)
        #expect(policy.delay(afterAttempt: 4, retryAfter: 1, random: 0) == nil)
    }

    /// RFC 9110, 10.2.3; the date is one minute after the server's, which isn't this machine's.
    @Test(
        arguments: [
            ("120", nil, 120), ("0", nil, 0), ("99999999999999999999", nil, .max),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:48:37 GMT", 60),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 09:48:37 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 100), ("Sun, 06 Nov 1994 08:49:37 GMT", "soon", 100),
            ("-1", nil, nil), ("1.5", nil, nil), ("", nil, nil), ("tomorrow", nil, nil),
            ("Sun, 31 Feb 1994 08:49:37 GMT", nil, nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil, nil),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil, nil), ("Sun, 06 Nov 1994 +8:49:37 GMT", nil, nil),
        ] as [(String, String?, Int64?)])
    func retryAfterIsSecondsOrADate(value: String, date: String?, expected: Int64?) {
        // 1994-11-06T08:49:37Z less 100 s; `date -u -d '1994-11-06 08:49:37' +%s` says 784111777.
        let now = Instant(secondsSince1970: 784_111_677)
        #expect(RetryAfter.seconds(value, date: date, now: now) == expected)
    }
}
