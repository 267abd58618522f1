internal import CCurl

/// One request to one address and its answer, without a look at redirects.
struct CurlExchange {
    /// What is asked for.
    struct Question {
        var address: WebAddress
        /// Whether it is of the origin that the configuration names; else a server led here.
        var isConfigured: Bool
        var permission: AddressPermission
        /// The lines of the header beside libcurl's own.
        var fields: [String]
        var resumed: ResumePoint?
        /// What is posted; `nil` gets.
        var body: String?
        /// Whether the body of an answer of any status is wanted, as it says what is wrong.
        var takesAnyStatus = false
        /// The time that is left.
        var time: Duration
    }

    /// What came: the header, the body so far, and why it isn't more.
    struct Answer {
        var question: Question
        var headers: ResponseHeaders
        var verdict: CurlTransfer.Verdict
        var sink: BodySink
        var reason: FetchError.Reason?
    }

    let settings: CurlSettings
    let watch: FetchWatch

    /// Asks; blocks until the answer is there or it failed.
    func answer(to question: Question, into sink: BodySink) throws(CurlFailure) -> Answer {
        let proxy = settings.proxy.proxy(for: question.address)
        if proxy != nil, let reason = reasonAgainstProxy(question) {
            return Answer(question: question, headers: ResponseHeaders(), verdict: .open, sink: sink, reason: reason)
        }
        let handle = try CurlHandle()
        let transfer = CurlTransfer(
            handle, into: sink, resumed: question.resumed, takesAnyStatus: question.takesAnyStatus,
            limits: settings.limits, watch: watch)
        let gate = SocketGate(proxy == nil ? question.permission : .any, kind: settings.kind)
        try configure(handle, question, proxy: proxy)
        try transfer.attach()
        try gate.attach(to: handle)
        var failure: FetchError.Reason?
        do throws(CurlFailure) {
            try withExtendedLifetime((transfer, gate)) { () throws(CurlFailure) in try handle.perform() }
        } catch {
            failure = error.reason(limits: settings.limits)
            if transfer.headers.status == 0, let kind = gate.refused {
                failure = refusal(of: kind, question)
            }
        }
        // Where nothing more was wanted, that libcurl was stopped is no failure.
        let reason = transfer.failure ?? (transfer.verdict == .none ? nil : failure)
        return Answer(
            question: question, headers: transfer.headers, verdict: transfer.verdict, sink: transfer.sink,
            reason: reason)
    }

    private func refusal(of kind: AddressKind, _ question: Question) -> FetchError.Reason {
        .refusedAddress(host: question.address.host, kind, isRedirect: !question.isConfigured)
    }

    /// Why an address isn't asked for through a proxy.
    ///
    /// The proxy looks the name up itself, and to which address it connects can't be seen here. So the name is looked up
    /// here as well: none of its addresses may be a forbidden one, and a name that isn't known here is asked for only
    /// where the configuration names it. What the proxy's own name service says then is the proxy's to judge.
    private func reasonAgainstProxy(_ question: Question) -> FetchError.Reason? {
        let host = question.address.host
        let addresses = IPAddress(host).map { [$0] } ?? settings.addresses(host)
        for address in addresses {
            let kind = settings.kind(address)
            if !question.permission.allows(address, of: kind) { return refusal(of: kind, question) }
        }
        return addresses.isEmpty && !question.isConfigured ? .unknownHost : nil
    }

    private func configure(_ handle: CurlHandle, _ question: Question, proxy: String?) throws(CurlFailure) {
        let limits = settings.limits
        try handle.set(CURLOPT_URL, to: question.address.text)
        try handle.allowHTTPOnly()
        try handle.set(CURLOPT_FOLLOWLOCATION, to: 0)
        // The empty text is no proxy, and no exception: the variables of the environment are read elsewhere.
        try handle.set(CURLOPT_PROXY, to: proxy ?? "")
        try handle.set(CURLOPT_NOPROXY, to: "")
        try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, to: 1)
        try handle.set(CURLOPT_NOSIGNAL, to: 1)
        try handle.set(CURLOPT_USERAGENT, to: settings.userAgent)
        // The empty text stands for every compression that libcurl knows. Parts are of what the server stores.
        try handle.set(CURLOPT_ACCEPT_ENCODING, to: question.resumed == nil ? "" : "identity")
        try handle.set(CURLOPT_BUFFERSIZE, to: 1 << 18)
        try handle.set(CURLOPT_CONNECTTIMEOUT, to: CurlExchange.inRange(limits.connectSeconds))
        try handle.set(CURLOPT_TIMEOUT_MS, to: CurlExchange.milliseconds(question.time))
        try handle.set(CURLOPT_LOW_SPEED_LIMIT, to: max(1, limits.slowestRate))
        try handle.set(CURLOPT_LOW_SPEED_TIME, to: CurlExchange.inRange(limits.silenceSeconds))
        try handle.set(CURLOPT_MAXFILESIZE_LARGE, toByteCount: limits.byteCount)
        try handle.set(CURLOPT_HTTPHEADER, to: question.fields)
        try handle.set(CURLOPT_RESOLVE, to: settings.names)
        guard let body = question.body else { return }
        try handle.set(CURLOPT_POSTFIELDSIZE, to: body.utf8.count)
        try handle.set(CURLOPT_COPYPOSTFIELDS, to: body)
    }

    /// Seconds in the range that libcurl takes: its milliseconds are 32-bit numbers.
    private static func inRange(_ seconds: Int) -> Int { min(max(seconds, 1), 2_000_000) }

    private static func milliseconds(_ time: Duration) -> Int {
        let (seconds, attoseconds) = time.components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
