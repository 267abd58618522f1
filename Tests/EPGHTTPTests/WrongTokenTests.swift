import EPGAccess
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import EPGHTTP
@testable import ServiceTestSupport

/// Tests of lockouts after wrong tokens, at times that the tests set.
@Suite struct WrongTokenTests {
    private static let start = ContinuousClock.now
    private static let correct = "Bearer correct horse battery staple"
    private static let wrong = "Bearer wrong"
    private static let client = ClientAddress.four(1)

    private let records = AccessRecords(
        tokens: ["correct horse battery staple": [.imports], "metrics": [.metrics]])
    private let control = AccessControl(
        nil, publicURL: nil, tokenUse: { _ in .parameter },
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        now: { RunningServer.now })

    /// Returns the reason for which a client is refused at `seconds`; `nil` if it is admitted.
    private func refusal(_ authorization: String?, from client: ClientAddress? = client, at seconds: Int64)
        -> AccessRefusal?
    {
        do {
            try control.check(authorization, from: client, for: .imports, records, at: Self.start + .seconds(seconds))
            return nil
        } catch {
            return error
        }
    }

    /// Sends wrong tokens until one locks the client out.
    ///
    /// - Returns: The length of the lockout in seconds.
    private func lockOut(at seconds: Int64) -> Int? {
        for _ in 0..<4 { expectEqual(refusal(Self.wrong, at: seconds), .wrongToken(lockoutSeconds: nil)) }
        return refusal(Self.wrong, at: seconds)?.lockoutSeconds
    }

    @Test func fiveWrongTokensWithinAMinuteLockTheAddressOut() {
        for at in Int64(0)..<4 { expectEqual(refusal(Self.wrong, at: at), .wrongToken(lockoutSeconds: nil)) }
        expectEqual(refusal(Self.wrong, at: 59), .wrongToken(lockoutSeconds: 60))
        expectEqual(refusal(Self.wrong, at: 60), .lockedOut(59))
        expectEqual(refusal(Self.wrong, at: 118), .lockedOut(1))
        expectEqual(refusal(Self.wrong, at: 119), .wrongToken(lockoutSeconds: nil))
    }

    @Test func fourWrongTokensPerMinuteDoNotLockOut() {
        for at in stride(from: Int64(0), to: 3600, by: 15) {
            expectEqual(refusal(Self.wrong, at: at), .wrongToken(lockoutSeconds: nil))
        }
    }

    @Test func correctTokenIsRefusedDuringALockout() {
        expectEqual(refusal(Self.correct, at: 0), nil)
        expectEqual(lockOut(at: 0), 60)
        expectEqual(refusal(Self.correct, at: 30), .lockedOut(30))
        expectEqual(refusal(nil, at: 30), .lockedOut(30))
        expectEqual(refusal(Self.correct, at: 60), nil)
    }

    @Test func lockoutsDoubleUpToFifteenMinutes() {
        var at: Int64 = 0
        for expected in [60, 120, 240, 480, 900, 900] {
            expectEqual(lockOut(at: at), expected)
            at += Int64(expected)
        }
    }

    @Test func lockoutLengthResetsFifteenMinutesAfterALockout() {
        expectEqual(lockOut(at: 0), 60)
        expectEqual(lockOut(at: 60 + 899), 120)
        expectEqual(lockOut(at: 60 + 899 + 120 + 900), 60)
    }

    @Test func addressesAreLockedOutIndependently() {
        expectEqual(lockOut(at: 0), 60)
        expectEqual(refusal(Self.correct, from: .four(2), at: 1), nil)
        expectEqual(refusal(Self.wrong, from: .four(2), at: 1), .wrongToken(lockoutSeconds: nil))
    }

    @Test func clientsWithoutAnAddressAreNeverLockedOut() {
        for _ in 0..<100 { expectEqual(refusal(Self.wrong, from: nil, at: 0), .wrongToken(lockoutSeconds: nil)) }
        expectEqual(refusal(Self.correct, from: nil, at: 0), nil)
        expectEqual(control.guessCount, 0)
    }

    @Test func requestsWithoutCredentialsAreNotGuesses() {
        for _ in 0..<100 {
            for header in [nil, "Basic dXNlcjpwYXNzd29yZA==", "Digest username=x", "correct horse battery staple"] {
                expectEqual(refusal(header, at: 0), .withoutToken)
            }
        }
        expectEqual(control.guessCount, 0)
    }

    @Test func tokenForOtherURLsIsNoGuess() {
        for _ in 0..<100 { expectEqual(refusal("Bearer metrics", at: 0), .otherToken) }
        expectEqual((control.guessCount, AccessRefusal.otherToken.problem.status), (0, .forbidden))
    }

    @Test func numberOfRememberedAddressesIsLimitedAndTheOldestIsDroppedFirst() {
        expectEqual(lockOut(at: 0), 60)
        // Removing the oldest address takes a while.
        let surplus = TestScope.current >= .integration ? GuessTable.capacity : 100
        for number in 0..<UInt32(GuessTable.capacity + surplus) {
            expectEqual(refusal(Self.wrong, from: .four(10 + number), at: 1), .wrongToken(lockoutSeconds: nil))
        }
        expectEqual(control.guessCount, GuessTable.capacity)
        // A lockout outlasts addresses that sent one wrong token.
        expectEqual(refusal(Self.correct, at: 2), .lockedOut(58))
    }

    @Test func concurrentRequestsGetNoMoreGuessesThanSequentialOnes() async {
        let guesses = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<500 {
                group.addTask { [self] in
                    refusal(Self.wrong, at: 0)?.problem.status == .unauthorized
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        expectEqual(guesses, 5)
    }

    @Test func refusalsHaveStatusRetryAfterAndChallenge() {
        expectEqual(AccessRefusal.lockedOut(59).problem.status, .tooManyRequests)
        expectEqual(AccessRefusal.lockedOut(59).problem.retryAfter, 59)
        expectEqual(AccessRefusal.wrongToken(lockoutSeconds: 60).problem.status, .unauthorized)
        expectEqual(AccessRefusal.withoutToken.problem.challenge, "Bearer realm=\"epg\"")
    }
}
