internal import CCurl
internal import Glibc

/// One request to one URL and its response. Does not follow redirects.
struct CurlExchange {
    /// A request.
    struct Request {
        var url: WebURL
        /// Whether the URL has the configured origin, as opposed to a redirect's.
        var isConfigured: Bool
        var permission: AddressPermission
        /// Header lines in addition to libcurl's own.
        var headerLines: [String]
        var resumed: ResumePoint?
        /// The body of a POST request; `nil` for GET.
        var body: String?
        /// Whether to receive the body of error responses, which describes the error.
        var acceptsAnyStatus = false
        /// The remaining time.
        var time: Duration
    }

    /// A response, which may be incomplete.
    struct Response {
        var request: Request
        var headers: ResponseHeaders
        var bodyClass: CurlTransfer.BodyClass
        /// The body so far.
        var sink: BodySink
        /// The reason that the response is incomplete; `nil` for a complete one.
        var reason: FetchError.Reason?
    }

    let settings: CurlSettings
    let watch: FetchObserver

    /// Sends the request. Blocks until the response is complete or has failed.
    func response(to request: Request, into sink: BodySink) throws(CurlFailure) -> Response {
        let proxy = settings.proxy.proxy(for: request.url)
        if proxy != nil, let reason = reasonToRefuseProxy(request) {
            return Response(
                request: request, headers: ResponseHeaders(), bodyClass: .pending, sink: sink, reason: reason)
        }
        let handle = try CurlHandle()
        let transfer = CurlTransfer(
            handle, into: sink, resumed: request.resumed, acceptsAnyStatus: request.acceptsAnyStatus,
            limits: settings.limits, watch: watch)
        let filter = SocketFilter(proxy == nil ? request.permission : .any, kind: settings.classify)
        try configure(handle, request, proxy: proxy)
        try transfer.attach()
        try filter.attach(to: handle)
        var failure: FetchError.Reason?
        do throws(CurlFailure) {
            try withExtendedLifetime((transfer, filter)) { () throws(CurlFailure) in try handle.perform() }
        } catch {
            failure = error.reason(limits: settings.limits)
            if transfer.headers.status == 0, let kind = filter.refused {
                failure = refusal(of: kind, request)
            }
        }
        // If the body is not wanted, stopping libcurl is not a failure.
        let reason = transfer.failure ?? (transfer.bodyClass == .unwanted ? nil : failure)
        return Response(
            request: request, headers: transfer.headers, bodyClass: transfer.bodyClass, sink: transfer.sink,
            reason: reason)
    }

    private func refusal(of kind: AddressKind, _ request: Request) -> FetchError.Reason {
        .refusedAddress(host: request.url.host, kind, isRedirect: !request.isConfigured)
    }

    /// Returns the reason that a URL must not be requested through a proxy; `nil` if it may be.
    ///
    /// The proxy resolves the host itself, and the address that it connects to is unknown here. So this process
    /// resolves the host too: none of its addresses may be forbidden, and a host that cannot be resolved here is
    /// requested only if the configuration names it. Different results of the proxy's resolver are the proxy's
    /// responsibility.
    private func reasonToRefuseProxy(_ request: Request) -> FetchError.Reason? {
        let host = request.url.host
        let addresses = IPAddress(host).map { [$0] } ?? settings.resolve(host)
        for address in addresses {
            let kind = settings.classify(address)
            if !request.permission.allows(address, of: kind) { return refusal(of: kind, request) }
        }
        return addresses.isEmpty && !request.isConfigured ? .unknownHost : nil
    }

    private func configure(_ handle: CurlHandle, _ request: Request, proxy: String?) throws(CurlFailure) {
        let limits = settings.limits
        try handle.set(CURLOPT_URL, to: request.url.text)
        try handle.allowHTTPOnly()
        try handle.set(CURLOPT_FOLLOWLOCATION, to: 0)
        // An empty string disables libcurl's own reading of the environment; see EnvironmentProxy.
        try handle.set(CURLOPT_PROXY, to: proxy ?? "")
        try handle.set(CURLOPT_NOPROXY, to: "")
        try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, to: 1)
        try handle.set(CURLOPT_NOSIGNAL, to: 1)
        try handle.set(CURLOPT_USERAGENT, to: settings.userAgent)
        // An empty string offers every coding that libcurl supports. Ranges apply to the stored representation.
        try handle.set(CURLOPT_ACCEPT_ENCODING, to: request.resumed == nil ? "" : "identity")
        try handle.set(CURLOPT_BUFFERSIZE, to: 1 << 18)
        try handle.set(CURLOPT_CONNECTTIMEOUT, to: CurlExchange.inRange(limits.connectSeconds))
        try handle.set(CURLOPT_TIMEOUT_MS, to: CurlExchange.milliseconds(request.time))
        try handle.set(CURLOPT_LOW_SPEED_LIMIT, to: max(1, limits.minimumRate))
        try handle.set(CURLOPT_LOW_SPEED_TIME, to: CurlExchange.inRange(limits.silenceSeconds))
        try handle.set(CURLOPT_MAXFILESIZE_LARGE, toByteCount: limits.byteCount)
        try handle.set(CURLOPT_HTTPHEADER, to: request.headerLines)
        try handle.set(CURLOPT_RESOLVE, to: settings.resolvedHosts)
        guard let body = request.body else { return }
        try handle.set(CURLOPT_POSTFIELDSIZE, to: body.utf8.count)
        try handle.set(CURLOPT_COPYPOSTFIELDS, to: body)
    }

    /// Clamps seconds to libcurl's range: it keeps milliseconds as 32-bit numbers.
    private static func inRange(_ seconds: Int) -> Int { min(max(seconds, 1), 2_000_000) }

    private static func milliseconds(_ time: Duration) -> Int {
        let (seconds, attoseconds) = time.components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}

/// Opens the sockets of a transfer, only to permitted addresses.
///
/// libcurl calls it with each address right before it connects, so the address that it checks is the one that libcurl
/// connects to, even if the host resolves differently each time.
private final class SocketFilter {
    /// The kind of the most recently refused address; `nil` if none was refused.
    private(set) var refused: AddressKind?
    private let permission: AddressPermission
    private let kind: @Sendable (IPAddress) -> AddressKind

    init(_ permission: AddressPermission, kind: @escaping @Sendable (IPAddress) -> AddressKind) {
        self.permission = permission
        self.kind = kind
    }

    /// Installs libcurl's callback. This object must outlive the transfer.
    func attach(to handle: CurlHandle) throws(CurlFailure) {
        try handle.set(CURLOPT_OPENSOCKETDATA, to: Unmanaged.passUnretained(self).toOpaque())
        try handle.setSocketFunction { context, _, address in
            guard let context, let address else { return -1 }
            return Unmanaged<SocketFilter>.fromOpaque(context).takeUnretainedValue().open(address)
        }
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
        let kind = kind(ip)
        guard permission.allows(ip, of: kind) else {
            refused = kind
            return -1
        }
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }
}
