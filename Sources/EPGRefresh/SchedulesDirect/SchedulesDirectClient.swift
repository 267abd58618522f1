import EPGJSON
internal import EPGImport
internal import EPGModel

/// Asks the service: with a token, again where that may help, and with its errors told apart from what was asked for.
struct SchedulesDirectClient {
    let transport: SchedulesDirectCurl
    let tokens: SchedulesDirectTokens
    let key: SchedulesDirectTokens.Key

    private var clock: FetchClock { transport.settings.clock }

    /// Longer answers aren't looked at for an error: real ones have some hundred bytes.
    private static let longestRefusal: Int64 = 64 << 10
    /// Seconds for which a token holds where the service doesn't say it: a day, less a minute.
    private static let tokenSeconds: Int64 = 86_340

    /// What the service answers to a request that needs a token.
    ///
    /// - Parameter body: JSON to post; `nil` gets.
    /// - Throws: ``SchedulesDirectTrouble``; its `code` is set where the service itself says what is wrong.
    func answer(_ path: String, body: String? = nil) throws(SchedulesDirectTrouble) -> SchedulesDirectBody {
        var isRenewed = false
        while true {
            let known = try tokens.token(for: key, clock)
            let token = if let known { known } else { try logIn() }
            do throws(SchedulesDirectTrouble) {
                return try exchange(SchedulesDirectRequest(path: path, body: body, token: token))
            } catch {
                if let refusal = error.refusal { try tokens.note(refusal, for: key, clock) }
                guard error.code == SchedulesDirectCode.tokenExpired, !isRenewed else { throw error }
                try tokens.forget(token, for: key, clock)
                isRenewed = true
            }
        }
    }

    /// Asks for a token, and keeps it.
    private func logIn() throws(SchedulesDirectTrouble) -> String {
        var body: [UInt8] = Array("{\"username\":".utf8)
        JSONText.append(quoted: key.username, to: &body)
        body += Array(",\"password\":\"\(key.passwordHash)\"}".utf8)
        let request = SchedulesDirectRequest(path: "/token", body: String(decoding: body, as: UTF8.self))
        do throws(SchedulesDirectTrouble) {
            let node = try exchange(request).root()
            guard let text = node["token"]?.string, !text.isEmpty, text.utf8.count <= 1024,
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw SchedulesDirectBody.unreadable("it holds no token") }
            var seconds = Self.tokenSeconds
            if let end = node["tokenExpires"]?.integer {
                // By the server's own clock, as that of this machine may be wrong.
                let now = node["serverTime"]?.integer ?? clock.now().secondsSince1970
                let (life, overflow) = end.subtractingReportingOverflow(now)
                // A minute at least, or each request would log in: one that has expired is refused, and then renewed.
                seconds = overflow ? 60 : min(seconds, max(life, 120) - 60)
            }
            try tokens.keep(text, forSeconds: seconds, key, clock)
            return text
        } catch {
            if let refusal = error.refusal { try tokens.note(refusal, for: key, clock) }
            throw error
        }
    }

    /// One request, tried again after a failure that may pass, as every fetch is.
    private func exchange(_ request: SchedulesDirectRequest) throws(SchedulesDirectTrouble) -> SchedulesDirectBody {
        var attempts = 1
        while true {
            do throws(SchedulesDirectTrouble) {
                return try attempt(request)
            } catch {
                let delay = transport.settings.retries.delay(
                    afterAttempt: attempts, retryAfter: error.retryAfter, random: clock.random())
                guard error.reason.isTransient, let delay, delay < transport.timeLeft else {
                    var trouble = error
                    trouble.attempts = attempts
                    throw trouble
                }
                wait(delay)
                attempts += 1
            }
        }
    }

    /// Waits before another request, or until nobody wants the guide any more, of which that request then hears.
    func wait(_ duration: Duration) {
        clock.wait(duration, transport.watch.isCancelled)
    }

    private func attempt(_ request: SchedulesDirectRequest) throws(SchedulesDirectTrouble) -> SchedulesDirectBody {
        let answer = try transport.send(request)
        let isRefusal = !(200...299).contains(answer.status)
        if answer.body.byteCount <= Self.longestRefusal, let refusal = refusal(in: answer.body) {
            throw SchedulesDirectTrouble(refusal)
        }
        if isRefusal { throw SchedulesDirectTrouble(.status(answer.status), retryAfter: answer.retryAfter) }
        guard answer.body.byteCount > 0 else { throw SchedulesDirectTrouble(.empty) }
        return answer.body
    }

    /// What the service says is wrong; `nil` where the answer is another one, or none of the service at all.
    private func refusal(in body: SchedulesDirectBody) -> ServiceRefusal? {
        do throws(SchedulesDirectTrouble) {
            let node = try body.root()
            guard let code = node["code"]?.integer, code != 0 else { return nil }
            return SchedulesDirectCode.refusal(
                code, message: node["message"]?.string ?? node["response"]?.string ?? "")
        } catch {
            // The page of a gateway, of which the status says more.
            return nil
        }
    }
}
