internal import CCurl
internal import Synchronization

/// Carries requests to the service by libcurl, one at a time, by the rules of every fetch: which addresses may be connected
/// to, which proxies are asked, how long it may take and how much it may bring.
///
/// Redirects are followed one by one, with method and body kept, and only to where the token may go; see
/// ``SchedulesDirectTarget/redirected(to:)``.
struct SchedulesDirectCurl: Sendable {
    let base: SchedulesDirectTarget
    /// Of these, the user agent is what the service demands: it answers nothing to a program without name and version.
    let settings: CurlSettings
    /// Whether the host may have an address of one's own network.
    let allowsPrivateAddresses: Bool
    let watch: FetchWatch
    /// The uptime at which all of it ends.
    let deadline: Duration
    private let tally = ByteTally()

    init(
        _ base: SchedulesDirectTarget, settings: CurlSettings, allowsPrivateAddresses: Bool, watch: FetchWatch
    ) {
        self.base = base
        self.settings = settings
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.watch = watch
        deadline = settings.clock.uptime() + .seconds(max(1, settings.limits.totalSeconds))
    }

    /// The time that is left; none where it isn't positive.
    var timeLeft: Duration { deadline - settings.clock.uptime() }

    /// Asks once; blocks until the answer is there.
    ///
    /// - Throws: ``SchedulesDirectTrouble`` where no answer came; an answer with an error is an answer.
    func send(_ request: SchedulesDirectRequest) throws(SchedulesDirectTrouble) -> SchedulesDirectAnswer {
        var target = base.appending(request.path)
        // Once a server has led to another origin, nothing that follows is the configuration's choice.
        var isConfigured = true
        for _ in 0...max(0, settings.limits.redirects) {
            let answer = try answer(to: request, at: target, isConfigured: isConfigured)
            guard [301, 302, 303, 307, 308].contains(answer.headers.status), let location = answer.headers.location
            else { return try self.answer(of: answer) }
            guard let next = target.redirected(to: location) else { throw SchedulesDirectTrouble(.redirectRefused) }
            isConfigured = isConfigured && next.isOfOrigin(of: base)
            target = next
        }
        throw SchedulesDirectTrouble(.tooManyRedirects(limit: settings.limits.redirects))
    }

    private func answer(
        to request: SchedulesDirectRequest, at target: SchedulesDirectTarget, isConfigured: Bool
    ) throws(SchedulesDirectTrouble) -> CurlExchange.Answer {
        if watch.isCancelled() { throw SchedulesDirectTrouble(.cancelled) }
        let time = timeLeft
        guard time > .zero else {
            throw SchedulesDirectTrouble(.timedOut("more than \(settings.limits.totalSeconds) seconds in all"))
        }
        let sink: BodySink
        do throws(SystemFailure) {
            sink = try BodySink(folder: settings.temporaryFolder, byteLimit: settings.limits.byteCount)
        } catch {
            throw SchedulesDirectTrouble(error)
        }
        let answer: CurlExchange.Answer
        do throws(CurlFailure) {
            let address = try WebAddress(target.text)
            let permission =
                isConfigured
                ? AddressPermission(configuredHost: address.host, allowsPrivateAddresses: allowsPrivateAddresses)
                : .global
            let question = CurlExchange.Question(
                address: address, isConfigured: isConfigured, permission: permission, fields: lines(of: request),
                body: request.body, takesAnyStatus: true, time: time)
            answer = try CurlExchange(settings: settings, watch: tally.next(watch)).answer(to: question, into: sink)
        } catch {
            throw SchedulesDirectTrouble(error.reason(limits: settings.limits))
        }
        if let reason = answer.reason { throw SchedulesDirectTrouble(reason) }
        guard answer.verdict == .whole else { throw SchedulesDirectTrouble(.cutShort) }
        return answer
    }

    private func lines(of request: SchedulesDirectRequest) -> [String] {
        var lines = ["Accept: application/json"]
        // No wait for "100 Continue" before a body.
        if request.body != nil { lines += ["Content-Type: application/json", "Expect:"] }
        if let token = request.token { lines.append("token: \(token)") }
        return lines
    }

    private func answer(of answer: CurlExchange.Answer) throws(SchedulesDirectTrouble) -> SchedulesDirectAnswer {
        let retryAfter = answer.headers.retryAfter.flatMap {
            RetryAfter.seconds($0, date: answer.headers.date, now: settings.clock.now())
        }
        do throws(SystemFailure) {
            let file = answer.sink.file
            let body = try SchedulesDirectBody(path: file.path, file: file)
            return SchedulesDirectAnswer(status: answer.headers.status, retryAfter: retryAfter, body: body)
        } catch {
            throw SchedulesDirectTrouble(error)
        }
    }
}

/// Counts the bytes of all answers of a fetch, for who looks on.
private final class ByteTally: Sendable {
    /// Bytes of the answers before this one, and of this one.
    private let counts = Mutex<(earlier: Int64, now: Int64)>((0, 0))

    /// Hands the steps of one more answer on, as steps of them all.
    func next(_ watch: FetchWatch) -> FetchWatch {
        counts.withLock { $0 = ($0.earlier + $0.now, 0) }
        return FetchWatch(
            progress: { step in
                let sum = self.counts.withLock { counts in
                    counts.now = step.byteCount
                    return counts.earlier + counts.now
                }
                watch.progress(FetchProgress(byteCount: sum, total: nil))
            }, isCancelled: watch.isCancelled)
    }
}
