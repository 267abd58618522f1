internal import CCurl

/// Fetches addresses with libcurl: conditional requests, redirects and compressed transfer, within limits.
///
/// The body goes straight to a temporary file. Only http and https are spoken, also after a redirect; certificates are
/// verified; the usual environment variables name a proxy.
package struct CurlFetcher: Fetcher {
    private let userAgent: String
    private let limits: FetchLimits
    private let temporaryFolder: String?

    /// A fetcher; libcurl is loaded by the first fetch.
    ///
    /// - Parameters:
    ///   - userAgent: What the servers are told, such as `swift-epg/1.0`.
    ///   - temporaryFolder: Where bodies lie until they are imported; `nil` for `TMPDIR`, else `/var/tmp`.
    package init(userAgent: String, limits: FetchLimits = FetchLimits(), temporaryFolder: String? = nil) {
        self.userAgent = userAgent
        self.limits = limits
        self.temporaryFolder = temporaryFolder
    }

    /// The body of an address, or word that it is the one that the request knows.
    ///
    /// - Throws: ``FetchError``; a file location is malformed here.
    package func fetch(_ request: FetchRequest) throws(FetchError) -> FetchResult {
        guard case .address(let address) = request.location else {
            throw FetchError(location: "", reason: .malformedLocation)
        }
        let transfer: CurlTransfer
        do throws(SystemFailure) {
            let file = try TemporaryFile(inFolder: temporaryFolder ?? TemporaryFile.standardFolder())
            transfer = CurlTransfer(file: file, byteLimit: limits.byteCount)
        } catch {
            throw FetchError(location: address, reason: .inputOutput(error.code))
        }
        let conditions = conditions(of: request)
        let status: Int
        do throws(CurlFailure) {
            let handle = try CurlHandle()
            try configure(handle, address: address)
            try handle.setHeaders(conditions)
            try transfer.attach(to: handle)
            status = try withExtendedLifetime(transfer) { () throws(CurlFailure) in try handle.perform() }
        } catch {
            let reason = transfer.failure ?? error.reason(limits: limits)
            throw FetchError(location: address, reason: reason)
        }
        return try result(of: transfer, status: status, address: address, isConditional: !conditions.isEmpty)
    }

    private func configure(_ handle: CurlHandle, address: String) throws(CurlFailure) {
        try handle.set(CURLOPT_URL, to: address)
        try handle.allowHTTPOnly()
        try handle.set(CURLOPT_FOLLOWLOCATION, to: 1)
        try handle.set(CURLOPT_MAXREDIRS, to: limits.redirects)
        try handle.set(CURLOPT_FAILONERROR, to: 1)
        try handle.set(CURLOPT_NOSIGNAL, to: 1)
        try handle.set(CURLOPT_USERAGENT, to: userAgent)
        // The empty text stands for every compression that libcurl knows.
        try handle.set(CURLOPT_ACCEPT_ENCODING, to: "")
        try handle.set(CURLOPT_BUFFERSIZE, to: 1 << 18)
        try handle.set(CURLOPT_CONNECTTIMEOUT, to: CurlFetcher.seconds(limits.connectSeconds))
        try handle.set(CURLOPT_TIMEOUT, to: CurlFetcher.seconds(limits.totalSeconds))
        try handle.set(CURLOPT_LOW_SPEED_LIMIT, to: 1)
        try handle.set(CURLOPT_LOW_SPEED_TIME, to: CurlFetcher.seconds(limits.silenceSeconds))
        try handle.set(CURLOPT_MAXFILESIZE_LARGE, toByteCount: limits.byteCount)
    }

    private func result(
        of transfer: CurlTransfer, status: Int, address: String, isConditional: Bool
    ) throws(FetchError) -> FetchResult {
        let hasher = transfer.hasher
        switch status {
        case 304 where isConditional:
            return .notModified
        case 200, 203:
            let byteCount = hasher.byteCount
            guard byteCount > 0 else { throw FetchError(location: address, reason: .empty) }
            return .body(
                FetchedBody(
                    file: transfer.file, byteCount: byteCount, hash: hasher.finish(), headers: transfer.headers))
        default:
            throw FetchError(location: address, reason: .status(status))
        }
    }

    /// The header fields that make the request a conditional one (RFC 9110, 13.1.2 and 13.1.3).
    ///
    /// Both are sent: a server that knows entity tags ignores the date. What can't stand in a header isn't sent.
    private func conditions(of request: FetchRequest) -> [String] {
        let tag = request.entityTag.flatMap { ResponseHeaders.fieldValue($0.utf8) }
        let date = request.lastModified.flatMap { ResponseHeaders.fieldValue($0.utf8) }
        return [tag.map { "If-None-Match: \($0)" }, date.map { "If-Modified-Since: \($0)" }].compactMap { $0 }
    }

    /// Seconds in the range that libcurl takes: its milliseconds are 32-bit numbers.
    private static func seconds(_ value: Int) -> Int { min(max(value, 1), 2_000_000) }
}
