internal import CCurl

/// Receives headers and body from libcurl's callbacks during one exchange.
final class CurlTransfer {
    /// How the headers classify the body.
    enum BodyClass {
        /// The headers are not complete yet.
        case pending
        /// The complete body.
        case complete
        /// The requested range.
        case remainder
        /// A body that is not wanted. The transfer stops here.
        case unwanted
    }

    private(set) var headers = ResponseHeaders()
    private(set) var bodyClass = BodyClass.pending
    private(set) var sink: BodySink
    /// The reason that this object stopped the transfer.
    private(set) var failure: FetchError.Reason?
    private let resumed: ResumePoint?
    private let acceptsAnyStatus: Bool
    private let limits: FetchLimits
    private let handle: CurlHandle
    private let watch: FetchObserver
    private var receivedByteCount: Int64 = 0
    private var headerByteCount = 0

    /// Maximum size of the headers of all responses in bytes; the same limit as in curl since 8.3.0.
    private static let headerByteLimit = 300 << 10
    /// CURLE_TOO_LARGE, which headers of libcurl before 8.6.0 do not define.
    private static let tooLargeCode = 100

    /// Creates a transfer into a body.
    ///
    /// - Parameters:
    ///   - resumed: The point at which the request resumes the body in `sink`; `nil` for a complete body.
    ///   - acceptsAnyStatus: Whether to receive the body of error responses.
    init(
        _ handle: CurlHandle, into sink: BodySink, resumed: ResumePoint?, acceptsAnyStatus: Bool = false,
        limits: FetchLimits, watch: FetchObserver
    ) {
        self.handle = handle
        self.watch = watch
        self.sink = sink
        self.resumed = resumed
        self.acceptsAnyStatus = acceptsAnyStatus
        self.limits = limits
    }

    /// Installs libcurl's callbacks. This object must outlive the transfer.
    func attach() throws(CurlFailure) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try handle.set(CURLOPT_WRITEDATA, to: context)
        try handle.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlTransfer.withTransfer(context, bytes, size, count) { transfer, bytes in transfer.receive(body: bytes) }
        }
        try handle.set(CURLOPT_HEADERDATA, to: context)
        try handle.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlTransfer.withTransfer(context, bytes, size, count) { transfer, bytes in transfer.receive(header: bytes)
            }
        }
        try handle.set(CURLOPT_XFERINFODATA, to: context)
        try handle.setProgressFunction { context, total, now, _, _ in
            guard let context else { return 1 }
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
            transfer.report(received: Int64(now), total: Int64(total))
            return transfer.watch.isCancelled() ? 1 : 0
        }
    }

    /// Reports progress, including the bytes of earlier attempts.
    private func report(received: Int64, total: Int64) {
        guard received != receivedByteCount, bodyClass == .complete || bodyClass == .remainder else { return }
        receivedByteCount = received
        let earlier = bodyClass == .remainder ? resumed?.offset ?? 0 : 0
        watch.progress(FetchProgress(byteCount: earlier + received, total: total > 0 ? earlier + total : nil))
    }

    /// Receives a header line. Returns `false` to stop the transfer.
    private func receive(header line: UnsafeRawBufferPointer) -> Bool {
        headerByteCount += line.count
        guard headerByteCount <= CurlTransfer.headerByteLimit else {
            let message = "more than \(CurlTransfer.headerByteLimit) bytes of headers"
            failure = .transfer(code: CurlTransfer.tooLargeCode, message)
            return false
        }
        headers.parse(line: line)
        guard headers.isComplete, headers.status >= 200, bodyClass == .pending else { return true }
        do throws(BodySink.Failure) {
            bodyClass = try classifyBody()
        } catch {
            bodyClass = .unwanted
            failure = error.reason
        }
        return bodyClass != .unwanted
    }

    private func classifyBody() throws(BodySink.Failure) -> BodyClass {
        let bodyClass: BodyClass
        switch headers.status {
        case 200, 203:
            bodyClass = .complete
            // The server does not support ranges, or the guide has changed.
            if sink.byteCount > 0 { try sink.empty() }
        case 206 where resumed?.isContinued(by: headers) == true: bodyClass = .remainder
        case _ where acceptsAnyStatus: bodyClass = .complete
        default: return .unwanted
        }
        if let length = headers.contentLength, length > limits.byteCount - sink.byteCount {
            throw BodySink.Failure(reason: .tooLarge(limit: limits.byteCount))
        }
        return bodyClass
    }

    /// Receives decompressed bytes of the body. Returns `false` to stop the transfer.
    private func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(BodySink.Failure) {
            try sink.append(bytes)
        } catch {
            failure = error.reason
            return false
        }
        let isBomb =
            headers.isCoded && sink.byteCount > limits.uncheckedByteCount
            && sink.byteCount / max(1, limits.compressionRatio) > handle.arrivedByteCount
        if isBomb { failure = .excessiveCompression(ratio: limits.compressionRatio) }
        return !isBomb
    }

    /// Returns the result for libcurl: all bytes consumed, or none.
    private static func withTransfer(
        _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
        _ take: (CurlTransfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let context else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        // libcurl passes at most 10 MiB at once (CURL_MAX_READ_SIZE, CURL_MAX_HTTP_HEADER).
        let byteCount = size &* count
        return take(transfer, UnsafeRawBufferPointer(start: bytes, count: byteCount)) ? byteCount : 0
    }
}
