internal import CCurl
internal import Glibc

/// Sends one request to one URL with a libcurl easy handle, and receives its response. Does not follow redirects.
///
/// libcurl calls back for each address right before it connects, so the address that ``open(_:)`` checks is the address that
/// libcurl connects to, even if the host resolves differently each time.
final class CurlTransfer {
    private let web: CurlFetcher
    private let request: WebRequest
    private let sink: BodySink
    private var response: WebResponse
    /// The reason that this object stopped the transfer.
    private var failure: FetchError.Reason?
    /// The kind of the most recently refused address; `nil` if none was refused.
    private var refused: AddressKind?
    private var permission: AddressPermission
    private var receivedByteCount: Int64 = 0
    private var headerByteCount = 0

    private let handle: UnsafeMutableRawPointer
    /// The buffer for libcurl's error message.
    private let errorBuffer: UnsafeMutablePointer<CChar>
    /// Memory that must live as long as the handle.
    private var lists: [UnsafeMutablePointer<curl_slist>] = []

    /// Maximum size of the headers of all responses in bytes; the same limit as in curl since 8.3.0.
    private static let headerByteLimit = 300 << 10
    /// CURLE_TOO_LARGE, which headers of libcurl before 8.6.0 do not define.
    private static let tooLargeCode = 100

    /// - Parameters:
    ///   - request: The request, whose URL is requested as it is.
    ///   - sink: Receives the body.
    init(_ request: WebRequest, into sink: BodySink, _ web: CurlFetcher) throws(FetchError) {
        try CurlTransfer.loadLibrary()
        guard let handle = ccurl_easy_init() else { throw CurlTransfer.outOfMemory }
        self.handle = handle
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        self.web = web
        self.request = request
        self.sink = sink
        permission = request.permission
        response = WebResponse(request: request)
    }

    /// Loads libcurl unless it is already loaded.
    static func loadLibrary() throws(FetchError) {
        guard let problem = ccurl_load() else { return }
        throw FetchError(reason: .libraryMissing(String(cString: problem)))
    }

    static let outOfMemory = FetchError(
        reason: .transfer(code: Int(CURLE_OUT_OF_MEMORY.rawValue), "out of memory"))

    deinit {
        ccurl_easy_cleanup(handle)
        for list in lists { ccurl_slist_free_all(list) }
        errorBuffer.deallocate()
    }

    /// Sends the request. Blocks until the response is complete or has failed; ``WebResponse/reason`` tells which.
    func perform(within time: Duration) throws(FetchError) -> WebResponse {
        let proxy = web.proxy.proxy(for: request.url)
        if proxy != nil {
            response.reason = reasonToRefuseProxy
            if response.reason != nil { return response }
            permission = .any
        }
        try configure(proxy: proxy, time: time)
        do throws(FetchError) {
            try withExtendedLifetime(self) { () throws(FetchError) in try check(ccurl_easy_perform(handle)) }
        } catch {
            // If the body is not wanted, stopping libcurl is not a failure.
            if response.bodyClass != .unwanted { response.reason = error.reason }
            if response.headers.status == 0, let refused { response.reason = refusal(of: refused) }
        }
        response.reason = failure ?? response.reason
        response.retryAfter = response.headers.retryAfter.flatMap {
            RetryAfter.seconds($0, date: response.headers.date, now: web.clock.now())
        }
        return response
    }

    private func refusal(of kind: AddressKind) -> FetchError.Reason {
        .refusedAddress(host: request.url.host, kind, isRedirect: request.isRedirect)
    }

    /// The reason that the URL must not be requested through a proxy; `nil` if it may be.
    ///
    /// The proxy resolves the host itself, and the address that it connects to is unknown here. So this process
    /// resolves the host too: none of its addresses may be forbidden, and a host that cannot be resolved here is
    /// requested only if the configuration names it. Different results of the proxy's resolver are the proxy's
    /// responsibility.
    private var reasonToRefuseProxy: FetchError.Reason? {
        let host = request.url.host
        let addresses = IPAddress(host).map { [$0] } ?? web.resolve(host)
        for address in addresses {
            let kind = web.classify(address)
            if !permission.allows(address, of: kind) { return refusal(of: kind) }
        }
        return addresses.isEmpty && !request.isConfigured ? .unknownHost : nil
    }

    // MARK: - Options

    private func configure(proxy: String?, time: Duration) throws(FetchError) {
        let limits = web.limits
        try check(ccurl_setopt_pointer(handle, CURLOPT_ERRORBUFFER, errorBuffer))
        try set(CURLOPT_URL, to: request.url.text)
        try check(ccurl_allow_http_only(handle))
        try set(CURLOPT_FOLLOWLOCATION, to: 0)
        // An empty string disables libcurl's own reading of the environment; see EnvironmentProxy.
        try set(CURLOPT_PROXY, to: proxy ?? "")
        try set(CURLOPT_NOPROXY, to: "")
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, to: 1)
        try set(CURLOPT_NOSIGNAL, to: 1)
        try check(ccurl_leave_resolver(handle))
        try set(CURLOPT_USERAGENT, to: web.userAgent)
        // An empty string offers every coding that libcurl supports. Ranges apply to the stored representation.
        try set(CURLOPT_ACCEPT_ENCODING, to: request.resumed == nil ? "" : "identity")
        try set(CURLOPT_BUFFERSIZE, to: 1 << 18)
        try set(CURLOPT_CONNECTTIMEOUT, to: CurlTransfer.inRange(limits.connectSeconds))
        try set(CURLOPT_TIMEOUT_MS, to: CurlTransfer.milliseconds(time))
        try set(CURLOPT_LOW_SPEED_LIMIT, to: max(1, limits.minimumRate))
        try set(CURLOPT_LOW_SPEED_TIME, to: CurlTransfer.inRange(limits.silenceSeconds))
        try check(ccurl_setopt_offset(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limits.byteCount)))
        try set(CURLOPT_HTTPHEADER, to: request.ownHeaderLines + (request.resumed?.headerLines ?? request.headerLines))
        try set(CURLOPT_RESOLVE, to: web.resolvedHosts)
        if let body = request.body {
            try set(CURLOPT_POSTFIELDSIZE, to: body.utf8.count)
            try set(CURLOPT_COPYPOSTFIELDS, to: body)
        }
        try installCallbacks()
    }

    private func set(_ option: CURLoption, to value: Int) throws(FetchError) {
        try check(ccurl_setopt_long(handle, option, value))
    }

    private func set(_ option: CURLoption, to value: String) throws(FetchError) {
        try check(ccurl_setopt_string(handle, option, value))
    }

    /// Sets a list of lines, such as headers. An empty list leaves the option unset.
    private func set(_ option: CURLoption, to lines: [String]) throws(FetchError) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = ccurl_slist_append(list, line) else {
                ccurl_slist_free_all(list)
                throw CurlTransfer.outOfMemory
            }
            list = longer
        }
        guard let list else { return }
        lists.append(list)
        try check(ccurl_setopt_list(handle, option, list))
    }

    /// Clamps seconds to libcurl's range: it keeps milliseconds as 32-bit numbers.
    private static func inRange(_ seconds: Int) -> Int { min(max(seconds, 1), 2_000_000) }

    private static func milliseconds(_ time: Duration) -> Int {
        let (seconds, attoseconds) = time.components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }

    // MARK: - Callbacks

    /// Installs libcurl's callbacks. This object must outlive the transfer.
    private func installCallbacks() throws(FetchError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA, CURLOPT_OPENSOCKETDATA] {
            try check(ccurl_setopt_pointer(handle, option, context))
        }
        try check(
            ccurl_setopt_function(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                CurlTransfer.withTransfer(context, bytes, size, count) { $0.receive(body: $1) }
            })
        try check(
            ccurl_setopt_function(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                CurlTransfer.withTransfer(context, bytes, size, count) { $0.receive(header: $1) }
            })
        try check(
            ccurl_setopt_progress_function(handle) { context, total, now, _, _ in
                guard let context else { return 1 }
                let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                transfer.report(received: Int64(now), total: Int64(total))
                return transfer.request.watch.isCancelled() ? 1 : 0
            })
        try set(CURLOPT_NOPROGRESS, to: 0)
        try check(
            ccurl_setopt_socket_function(handle) { context, _, address in
                guard let context, let address else { return -1 }
                return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue().open(address)
            })
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

    /// Opens a socket; -1 for a refused address. Refuses address families other than IPv4 and IPv6.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        // An IPv6 address is longer than `struct sockaddr`, the last member of the struct.
        let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? MemoryLayout<Int32>.size * 4
        let bytes = UnsafeRawPointer(address) + offset
        guard let ip = IPAddress(bytes.assumingMemoryBound(to: sockaddr.self)) else {
            refused = .reserved
            return -1
        }
        let kind = web.classify(ip)
        guard permission.allows(ip, of: kind) else {
            refused = kind
            return -1
        }
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }

    /// Reports progress, including the bytes of earlier attempts.
    private func report(received: Int64, total: Int64) {
        guard received != receivedByteCount, [.complete, .remainder].contains(response.bodyClass) else { return }
        receivedByteCount = received
        let earlier = response.bodyClass == .remainder ? request.resumed?.offset ?? 0 : 0
        request.watch.progress(FetchProgress(byteCount: earlier + received, total: total > 0 ? earlier + total : nil))
    }

    /// Receives a header line. Returns `false` to stop the transfer.
    private func receive(header line: UnsafeRawBufferPointer) -> Bool {
        headerByteCount += line.count
        guard headerByteCount <= CurlTransfer.headerByteLimit else {
            let message = "more than \(CurlTransfer.headerByteLimit) bytes of headers"
            failure = .transfer(code: CurlTransfer.tooLargeCode, message)
            return false
        }
        response.headers.parse(line: line)
        let headers = response.headers
        guard headers.isComplete, headers.status >= 200, response.bodyClass == .pending else { return true }
        do throws(FetchError) {
            response.bodyClass = try classifyBody(headers)
        } catch {
            response.bodyClass = .unwanted
            failure = error.reason
        }
        return response.bodyClass != .unwanted
    }

    private func classifyBody(_ headers: ResponseHeaders) throws(FetchError) -> WebResponse.BodyClass {
        let isRemainder = headers.status == 206 && request.resumed?.isContinued(by: headers) == true
        guard isRemainder || headers.status == 200 || headers.status == 203 || request.acceptsAnyStatus else {
            return .unwanted
        }
        // The server does not support ranges, the guide has changed, or the last response was a redirect.
        if !isRemainder, sink.byteCount > 0 { try sink.empty() }
        if let length = headers.contentLength, length > web.limits.byteCount - sink.byteCount {
            throw FetchError(reason: .tooLarge(limit: web.limits.byteCount))
        }
        return isRemainder ? .remainder : .complete
    }

    /// Receives decompressed bytes of the body. Returns `false` to stop the transfer.
    private func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(FetchError) {
            try sink.append(bytes)
        } catch {
            failure = error.reason
            return false
        }
        let limits = web.limits
        guard response.headers.isCoded, sink.byteCount > limits.uncheckedByteCount else { return true }
        // Bytes received so far, before decompression.
        var arrived: curl_off_t = 0
        _ = ccurl_getinfo_offset(handle, CURLINFO_SIZE_DOWNLOAD_T, &arrived)
        guard sink.byteCount / max(1, limits.compressionRatio) > arrived else { return true }
        failure = .excessiveCompression(ratio: limits.compressionRatio)
        return false
    }

    // MARK: - Errors

    private func check(_ code: CURLcode) throws(FetchError) {
        guard code != CURLE_OK else { return }
        let detail = String(cString: errorBuffer)
        let message = detail.isEmpty ? String(cString: ccurl_easy_strerror(code)) : detail
        throw FetchError(reason: reason(of: code, message))
    }

    private func reason(of code: CURLcode, _ message: String) -> FetchError.Reason {
        switch code {
        case CURLE_URL_MALFORMAT: .malformedLocation
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .unknownHost
        case CURLE_COULDNT_CONNECT: .cannotConnect
        case CURLE_OPERATION_TIMEDOUT: .timedOut(message)
        case CURLE_FILESIZE_EXCEEDED: .tooLarge(limit: web.limits.byteCount)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR: .truncated
        case CURLE_SSL_CONNECT_ERROR: .noTLS(message)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            .insecure(message)
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        case CURLE_BAD_CONTENT_ENCODING: .badEncoding(message)
        default: .transfer(code: Int(code.rawValue), message)
        }
    }
}
