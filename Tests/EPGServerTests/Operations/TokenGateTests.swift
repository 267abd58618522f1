import HTTPTypes
import Testing

@testable import EPGServer

/// Tests of lockouts after wrong tokens, at times that the tests set.
@Suite struct TokenGateTests {
    private static let start = ContinuousClock.now
    private static let correct = "Bearer correct horse battery staple"
    private static let wrong = "Bearer wrong"
    private static let client = ClientAddress.four(1)

    private let gate = TokenGate(BearerToken(Array("correct horse battery staple".utf8)))

    /// Returns the reason for which the gate refuses a client at `seconds`; `nil` if it admits the client.
    private func refusal(_ authorization: String?, from client: ClientAddress? = client, at seconds: Int64)
        -> TokenRefusal?
    {
        do {
            try gate.admit(authorization, from: client, at: Self.start + .seconds(seconds))
            return nil
        } catch {
            return error
        }
    }

    /// Sends wrong tokens until one locks the client out.
    ///
    /// - Returns: The length of the lockout in seconds.
    private func lockOut(at seconds: Int64) -> Int? {
        for _ in 0..<4 { #expect(refusal(Self.wrong, at: seconds) == .wrong(lockoutSeconds: nil)) }
        guard case .wrong(let lockout) = refusal(Self.wrong, at: seconds) else { return nil }
        return lockout
    }

    @Test func fiveWrongTokensWithinAMinuteLockTheAddressOut() {
        for at in Int64(0)..<4 { #expect(refusal(Self.wrong, at: at) == .wrong(lockoutSeconds: nil)) }
        #expect(refusal(Self.wrong, at: 59) == .wrong(lockoutSeconds: 60))
        #expect(refusal(Self.wrong, at: 60) == .lockedOut(seconds: 59))
        #expect(refusal(Self.wrong, at: 118) == .lockedOut(seconds: 1))
        #expect(refusal(Self.wrong, at: 119) == .wrong(lockoutSeconds: nil))
    }

    @Test func fourWrongTokensPerMinuteDoNotLockOut() {
        for at in stride(from: Int64(0), to: 3600, by: 15) {
            #expect(refusal(Self.wrong, at: at) == .wrong(lockoutSeconds: nil))
        }
    }

    @Test func correctTokenIsRefusedDuringALockout() {
        #expect(refusal(Self.correct, at: 0) == nil)
        #expect(lockOut(at: 0) == 60)
        #expect(refusal(Self.correct, at: 30) == .lockedOut(seconds: 30))
        #expect(refusal(nil, at: 30) == .lockedOut(seconds: 30))
        #expect(refusal(Self.correct, at: 60) == nil)
    }

    @Test func lockoutsDoubleUpToFifteenMinutes() {
        var at: Int64 = 0
        for expected in [60, 120, 240, 480, 900, 900] {
            #expect(lockOut(at: at) == expected)
            at += Int64(expected)
        }
    }

    @Test func lockoutLengthResetsFifteenMinutesAfterALockout() {
        #expect(lockOut(at: 0) == 60)
        #expect(lockOut(at: 60 + 899) == 120)
        #expect(lockOut(at: 60 + 899 + 120 + 900) == 60)
    }

    @Test func addressesAreLockedOutIndependently() {
        #expect(lockOut(at: 0) == 60)
        #expect(refusal(Self.correct, from: .four(2), at: 1) == nil)
        #expect(refusal(Self.wrong, from: .four(2), at: 1) == .wrong(lockoutSeconds: nil))
    }

    @Test func clientsWithoutAnAddressAreNeverLockedOut() {
        for _ in 0..<100 { #expect(refusal(Self.wrong, from: nil, at: 0) == .wrong(lockoutSeconds: nil)) }
        #expect(refusal(Self.correct, from: nil, at: 0) == nil)
        #expect(gate.count == 0)
    }

    @Test func requestsWithoutCredentialsAreNotGuesses() {
        for _ in 0..<100 { #expect(refusal(nil, at: 0) == .missing) }
        #expect(gate.count == 0)
    }

    @Test func numberOfRememberedAddressesIsLimitedAndTheOldestIsDroppedFirst() {
        #expect(lockOut(at: 0) == 60)
        for number in 0..<UInt32(GuessTable.capacity) * 2 {
            #expect(refusal(Self.wrong, from: .four(10 + number), at: 1) == .wrong(lockoutSeconds: nil))
        }
        #expect(gate.count == GuessTable.capacity)
        // A lockout outlasts addresses that sent one wrong token.
        #expect(refusal(Self.correct, at: 2) == .lockedOut(seconds: 58))
    }

    @Test func concurrentRequestsGetNoMoreGuessesThanSequentialOnes() async {
        let guesses = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<500 {
                group.addTask { [self] in
                    if case .wrong = refusal(Self.wrong, at: 0) { true } else { false }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(guesses == 5)
    }

    @Test func refusalsHaveStatusRetryAfterAndChallenge() {
        #expect(TokenRefusal.lockedOut(seconds: 59).problem.status == .tooManyRequests)
        #expect(TokenRefusal.lockedOut(seconds: 59).problem.retryAfter == 59)
        #expect(TokenRefusal.wrong(lockoutSeconds: 60).problem.status == .unauthorized)
        #expect(TokenRefusal.missing.problem.challenge == "Bearer realm=\"epg\"")
    }
}
