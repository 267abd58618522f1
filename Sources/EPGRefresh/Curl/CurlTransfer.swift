internal import CCurl

/// What libcurl's callbacks gather in one exchange: header fields, and the body where it is wanted.
final class CurlTransfer {
    /// What the end of the header says of the body.
    enum Verdict {
        /// The header hasn't ended yet.
        case open
        /// The guide from its beginning.
        case whole
        /// The part that was asked for.
        case rest
        /// None that is wanted: the transfer is ended there.
        case none
    }

    private(set) var headers = ResponseHeaders()
    private(set) var verdict = Verdict.open
    private(set) var sink: BodySink
    /// Why the body wasn't taken any further.
    private(set) var failure: FetchError.Reason?
    private let resumed: ResumePoint?
    private let takesAnyStatus: Bool
    private let limits: FetchLimits
    private let handle: CurlHandle
    private let watch: FetchWatch
    private var arrived: Int64 = 0
    private var headerByteCount = 0

    /// Bytes of header, of all answers up to the last one, that are read; curl has the same limit since 8.3.0.
    private static let headerByteLimit = 300 << 10
    /// libcurl's code for what is larger than allowed, CURLE_TOO_LARGE, which came with 8.6.0.
    private static let tooLargeCode = 100

    /// A transfer into a body.
    ///
    /// - Parameters:
    ///   - resumed: Where the body that is in the sink goes on; `nil` where all of it was asked for.
    ///   - takesAnyStatus: Whether the body is wanted whatever the status is.
    init(
        _ handle: CurlHandle, into sink: BodySink, resumed: ResumePoint?, takesAnyStatus: Bool = false,
        limits: FetchLimits, watch: FetchWatch
    ) {
        self.handle = handle
        self.watch = watch
        self.sink = sink
        self.resumed = resumed
        self.takesAnyStatus = takesAnyStatus
        self.limits = limits
    }

    /// Has libcurl hand header and body to this object, which must outlive the transfer.
    func attach() throws(CurlFailure) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try handle.set(CURLOPT_WRITEDATA, to: context)
        try handle.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlTransfer.withTransfer(context, bytes, size, count) { transfer, bytes in transfer.take(body: bytes) }
        }
        try handle.set(CURLOPT_HEADERDATA, to: context)
        try handle.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlTransfer.withTransfer(context, bytes, size, count) { transfer, bytes in transfer.take(header: bytes) }
        }
        try handle.set(CURLOPT_XFERINFODATA, to: context)
        try handle.setProgressFunction { context, total, now, _, _ in
            guard let context else { return 1 }
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
            transfer.tell(arrived: Int64(now), total: Int64(total))
            return transfer.watch.isCancelled() ? 1 : 0
        }
    }

    /// Says how far the body is, with what an earlier attempt brought of it.
    private func tell(arrived: Int64, total: Int64) {
        guard arrived != self.arrived, verdict == .whole || verdict == .rest else { return }
        self.arrived = arrived
        let earlier = verdict == .rest ? resumed?.offset ?? 0 : 0
        watch.progress(FetchProgress(byteCount: earlier + arrived, total: total > 0 ? earlier + total : nil))
    }

    /// Takes a line of the header; `false` ends the transfer.
    private func take(header line: UnsafeRawBufferPointer) -> Bool {
        headerByteCount += line.count
        guard headerByteCount <= CurlTransfer.headerByteLimit else {
            let words = "more than \(CurlTransfer.headerByteLimit) bytes of header"
            failure = .transfer(code: CurlTransfer.tooLargeCode, words)
            return false
        }
        headers.take(line: line)
        guard headers.isComplete, headers.status >= 200, verdict == .open else { return true }
        do throws(BodySink.Failure) {
            verdict = try judge()
        } catch {
            verdict = .none
            failure = error.reason
        }
        return verdict != .none
    }

    private func judge() throws(BodySink.Failure) -> Verdict {
        let verdict: Verdict
        switch headers.status {
        case 200, 203:
            verdict = .whole
            // The server gives no parts, or the guide is another one by now.
            if sink.byteCount > 0 { try sink.empty() }
        case 206 where resumed?.isContinued(by: headers) == true: verdict = .rest
        case _ where takesAnyStatus: verdict = .whole
        default: return .none
        }
        if let length = headers.contentLength, length > limits.byteCount - sink.byteCount {
            throw BodySink.Failure(reason: .tooLarge(limit: limits.byteCount))
        }
        return verdict
    }

    /// Takes unpacked bytes of the body; `false` ends the transfer.
    private func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(BodySink.Failure) {
            try sink.append(bytes)
        } catch {
            failure = error.reason
            return false
        }
        let isBomb =
            headers.isCoded && sink.byteCount > limits.freeByteCount
            && sink.byteCount / max(1, limits.unpackingRatio) > handle.arrivedByteCount
        if isBomb { failure = .unpacksTooFar(ratio: limits.unpackingRatio) }
        return !isBomb
    }

    /// The answer to libcurl: all bytes taken, or none.
    private static func withTransfer(
        _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
        _ take: (CurlTransfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let context else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        // libcurl never hands over more than 10 MiB at once (CURL_MAX_READ_SIZE, CURL_MAX_HTTP_HEADER).
        let byteCount = size &* count
        return take(transfer, UnsafeRawBufferPointer(start: bytes, count: byteCount)) ? byteCount : 0
    }
}
