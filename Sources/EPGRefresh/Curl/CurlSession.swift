internal import CCurl

/// One fetch of an address with all its attempts: what came so far, and what it is to be asked next.
struct CurlSession {
    private let settings: CurlSettings
    private let request: FetchRequest
    private let watch: FetchWatch
    private let address: WebAddress
    private let permission: AddressPermission
    private let deadline: Duration
    private var sink: BodySink
    private var resumed: ResumePoint?

    /// Why an attempt brought nothing.
    struct Failure: Error {
        var reason: FetchError.Reason
        /// Seconds that the server asks to be left alone for.
        var retryAfter: Int64?
    }

    /// The beginning of a fetch; nothing is asked for yet.
    init(_ request: FetchRequest, to address: String, settings: CurlSettings, watch: FetchWatch) throws(Failure) {
        self.watch = watch
        self.settings = settings
        self.request = request
        if let field = request.headers.first(where: { !$0.isAllowed }) {
            throw Failure(reason: .badHeader(field.name))
        }
        deadline = settings.clock.uptime() + .seconds(max(1, settings.limits.totalSeconds))
        do throws(SystemFailure) {
            sink = try BodySink(folder: settings.temporaryFolder, byteLimit: settings.limits.byteCount)
        } catch {
            throw Failure(reason: .inputOutput(error.code))
        }
        do throws(CurlFailure) {
            self.address = try WebAddress(address)
        } catch {
            throw Failure(reason: error.reason(limits: settings.limits))
        }
        permission = AddressPermission(
            configuredHost: self.address.host, allowsPrivateAddresses: request.allowsPrivateAddresses)
    }

    /// The time that is left; none where it isn't positive.
    var timeLeft: Duration { deadline - settings.clock.uptime() }

    /// Tries once, over all redirects.
    mutating func attempt() throws(Failure) -> FetchResult {
        var target = address
        // Once a server has led to another origin, nothing that follows is the configuration's choice.
        var isConfigured = true
        for _ in 0...max(0, settings.limits.redirects) {
            let answer = try ask(target, isConfigured: isConfigured)
            guard [301, 302, 303, 307, 308].contains(answer.headers.status), answer.reason == nil,
                let location = answer.headers.location
            else { return try result(of: answer) }
            target = try redirect(from: target, to: location)
            isConfigured = isConfigured && target.origin == address.origin
        }
        throw Failure(reason: .tooManyRedirects(limit: settings.limits.redirects))
    }

    private mutating func ask(_ target: WebAddress, isConfigured: Bool) throws(Failure) -> CurlExchange.Answer {
        if watch.isCancelled() { throw Failure(reason: .cancelled) }
        let time = timeLeft
        guard time > .zero else { throw Failure(reason: .timedOut(CurlSession.words(ofSeconds: settings.limits))) }
        let point = resumed?.address == target ? resumed : nil
        let own = isConfigured ? request.headers.map(\.line) : []
        let question = CurlExchange.Question(
            address: target, isConfigured: isConfigured, permission: isConfigured ? permission : .global,
            fields: own + (point?.fields ?? conditions), resumed: point, time: time)
        do throws(CurlFailure) {
            let answer = try CurlExchange(settings: settings, watch: watch).answer(to: question, into: sink)
            sink = answer.sink
            return answer
        } catch {
            throw Failure(reason: error.reason(limits: settings.limits))
        }
    }

    private func redirect(from here: WebAddress, to location: String) throws(Failure) -> WebAddress {
        do throws(CurlFailure) {
            let target = try here.redirected(to: location)
            if ["http", "https"].contains(target.scheme) { return target }
        } catch {
            if error.isLibraryMissing { throw Failure(reason: error.reason(limits: settings.limits)) }
        }
        throw Failure(reason: .redirectRefused)
    }

    /// What an answer that leads nowhere else means, and what is kept of it for the next attempt.
    private mutating func result(of answer: CurlExchange.Answer) throws(Failure) -> FetchResult {
        let isResumed = answer.question.resumed != nil
        if let reason = answer.reason {
            keepForResuming(answer)
            throw Failure(reason: reason)
        }
        switch (answer.headers.status, answer.verdict) {
        case (_, .whole), (_, .rest):
            return .body(try body(of: answer))
        case (_, .open):
            // The connection ended before the header did.
            throw Failure(reason: .cutShort)
        case (304, _) where !isResumed && !conditions.isEmpty:
            return .notModified
        case (206, _) where isResumed, (412, _) where isResumed, (416, _) where isResumed:
            resumed = nil
            throw Failure(reason: .wrongPart)
        case (let status, _):
            let retryAfter = answer.headers.retryAfter.flatMap { [settings] value in
                RetryAfter.seconds(value, date: answer.headers.date, now: settings.clock.now())
            }
            throw Failure(reason: .status(status), retryAfter: retryAfter)
        }
    }

    /// What came of a body stays, where the rest of it can be asked for alone.
    private mutating func keepForResuming(_ answer: CurlExchange.Answer) {
        guard answer.verdict == .whole || answer.verdict == .rest else { return }
        resumed = ResumePoint(
            after: answer.headers, from: answer.question.address, offset: sink.byteCount,
            earlier: answer.question.resumed)
    }

    private mutating func body(of answer: CurlExchange.Answer) throws(Failure) -> FetchedBody {
        let headers = answer.headers
        guard sink.byteCount > 0 else { throw Failure(reason: .empty) }
        let shape = sink.shape
        if shape.isWebPage { throw Failure(reason: .webPage(title: shape.pageTitle)) }
        if answer.verdict == .rest, sink.byteCount != headers.contentRange.map({ $0.last + 1 }) {
            resumed = nil
            throw Failure(reason: .wrongPart)
        }
        if headers.endsWithConnection, !shape.mayBeWhole {
            keepForResuming(answer)
            throw Failure(reason: .cutShort)
        }
        let earlier = answer.verdict == .rest ? answer.question.resumed : nil
        return sink.body(
            entityTag: headers.entityTag, lastModified: headers.lastModified ?? earlier?.lastModified)
    }

    /// The header fields that make the request a conditional one (RFC 9110, 13.1.2 and 13.1.3).
    ///
    /// Both are sent: a server that knows entity tags ignores the date. What can't stand in a header isn't sent.
    private var conditions: [String] {
        let tag = request.entityTag.flatMap { ResponseHeaders.fieldValue($0.utf8) }
        let date = request.lastModified.flatMap { ResponseHeaders.fieldValue($0.utf8) }
        return [tag.map { "If-None-Match: \($0)" }, date.map { "If-Modified-Since: \($0)" }].compactMap { $0 }
    }

    private static func words(ofSeconds limits: FetchLimits) -> String {
        "more than \(limits.totalSeconds) seconds in all"
    }
}
