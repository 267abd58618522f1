internal import CCurl

/// Carries requests to the service by libcurl, one at a time.
///
/// Answers may be compressed, as the service demands. Redirects are followed one by one, with method and body kept, and
/// only to where the token may go; see ``SchedulesDirectTarget/redirected(to:)``.
struct SchedulesDirectCurl: SchedulesDirectTransport {
    let base: SchedulesDirectTarget
    /// Name and version of this program, without which the service answers nothing.
    let userAgent: String
    let limits: FetchLimits
    /// Where answers lie until they are read; `nil` for `TMPDIR`, else `/var/tmp`.
    let temporaryFolder: String?
    let clock: FetchClock

    func send(_ request: SchedulesDirectRequest) throws(SchedulesDirectTrouble) -> SchedulesDirectAnswer {
        var target = base.appending(request.path)
        for _ in 0...max(0, limits.redirects) {
            let receiver = try perform(request, at: target)
            guard [301, 302, 303, 307, 308].contains(receiver.status), let location = receiver.location else {
                return try answer(of: receiver)
            }
            guard let next = target.redirected(to: location) else { throw SchedulesDirectTrouble(.redirectRefused) }
            target = next
        }
        throw SchedulesDirectTrouble(.tooManyRedirects(limit: limits.redirects))
    }

    private func perform(
        _ request: SchedulesDirectRequest, at target: SchedulesDirectTarget
    ) throws(SchedulesDirectTrouble) -> SchedulesDirectReceiver {
        let receiver: SchedulesDirectReceiver
        do throws(SystemFailure) {
            receiver = SchedulesDirectReceiver(
                file: try TemporaryFile(inFolder: temporaryFolder ?? TemporaryFile.standardFolder()),
                byteLimit: limits.byteCount)
        } catch {
            throw SchedulesDirectTrouble(error)
        }
        do throws(CurlFailure) {
            // The lines must stand as long as the handle does.
            let lines = try CurlLines(lines(of: request))
            let handle = try CurlHandle()
            try configure(handle, target)
            if let list = lines.list { try handle.set(CURLOPT_HTTPHEADER, to: UnsafeMutableRawPointer(list)) }
            if let body = request.body {
                try handle.set(CURLOPT_POSTFIELDSIZE, to: body.utf8.count)
                try handle.set(CURLOPT_COPYPOSTFIELDS, to: body)
            }
            try receiver.attach(to: handle)
            try withExtendedLifetime((receiver, lines)) { () throws(CurlFailure) in _ = try handle.perform() }
        } catch {
            throw SchedulesDirectTrouble(receiver.failure ?? error.reason(limits: limits))
        }
        return receiver
    }

    private func lines(of request: SchedulesDirectRequest) -> [String] {
        var lines = ["Accept: application/json"]
        // No wait for "100 Continue" before a body.
        if request.body != nil { lines += ["Content-Type: application/json", "Expect:"] }
        if let token = request.token { lines.append("token: \(token)") }
        return lines
    }

    private func configure(_ handle: CurlHandle, _ target: SchedulesDirectTarget) throws(CurlFailure) {
        try handle.set(CURLOPT_URL, to: target.text)
        try handle.allowHTTPOnly()
        try handle.set(CURLOPT_FOLLOWLOCATION, to: 0)
        try handle.set(CURLOPT_NOSIGNAL, to: 1)
        try handle.set(CURLOPT_USERAGENT, to: userAgent)
        // The empty text stands for every compression that libcurl knows.
        try handle.set(CURLOPT_ACCEPT_ENCODING, to: "")
        try handle.set(CURLOPT_BUFFERSIZE, to: 1 << 18)
        try handle.set(CURLOPT_CONNECTTIMEOUT, to: min(max(limits.connectSeconds, 1), 2_000_000))
        try handle.set(CURLOPT_TIMEOUT, to: min(max(limits.totalSeconds, 1), 2_000_000))
        try handle.set(CURLOPT_LOW_SPEED_LIMIT, to: 1)
        try handle.set(CURLOPT_LOW_SPEED_TIME, to: min(max(limits.silenceSeconds, 1), 2_000_000))
    }

    private func answer(of receiver: SchedulesDirectReceiver) throws(SchedulesDirectTrouble) -> SchedulesDirectAnswer {
        let retryAfter = receiver.retryAfter.flatMap {
            RetryAfter.seconds($0, date: receiver.date, now: clock.now())
        }
        do throws(SystemFailure) {
            let body = try SchedulesDirectBody(path: receiver.file.path, file: receiver.file)
            return SchedulesDirectAnswer(status: receiver.status, retryAfter: retryAfter, body: body)
        } catch {
            throw SchedulesDirectTrouble(error)
        }
    }
}

/// Lines for libcurl, such as header fields.
private final class CurlLines {
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    init(_ lines: [String]) throws(CurlFailure) {
        if let problem = ccurl_load() {
            throw CurlFailure(code: CURLE_FAILED_INIT, words: String(cString: problem), isLibraryMissing: true)
        }
        for line in lines {
            guard let longer = ccurl_slist_append(list, line) else {
                throw CurlFailure(code: CURLE_OUT_OF_MEMORY, words: "out of memory")
            }
            list = longer
        }
    }

    deinit { ccurl_slist_free_all(list) }
}
