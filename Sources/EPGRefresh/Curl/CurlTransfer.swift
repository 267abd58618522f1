internal import CCurl

/// What libcurl's callbacks gather: header fields, and the body in a temporary file with its hash.
final class CurlTransfer {
    let file: TemporaryFile
    private(set) var headers = ResponseHeaders()
    private(set) var hasher = BodyHasher()
    /// Why the body wasn't taken any further.
    private(set) var failure: FetchError.Reason?
    private let byteLimit: Int64

    init(file: TemporaryFile, byteLimit: Int64) {
        self.file = file
        self.byteLimit = byteLimit
    }

    /// Has libcurl hand headers and body to this object, which must outlive the transfer.
    func attach(to handle: CurlHandle) throws(CurlFailure) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try handle.set(CURLOPT_WRITEDATA, to: context)
        try handle.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlTransfer.withTransfer(context, bytes, size, count) { transfer, bytes in transfer.take(body: bytes) }
        }
        try handle.set(CURLOPT_HEADERDATA, to: context)
        try handle.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlTransfer.withTransfer(context, bytes, size, count) { transfer, bytes in
                transfer.headers.take(line: bytes)
                return true
            }
        }
    }

    /// Takes unpacked bytes of the body; `false` ends the transfer.
    private func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        guard Int64(bytes.count) <= byteLimit - hasher.byteCount else {
            failure = .tooLarge(limit: byteLimit)
            return false
        }
        do throws(SystemFailure) {
            try file.write(bytes)
        } catch {
            failure = .inputOutput(error.code)
            return false
        }
        hasher.append(bytes)
        return true
    }

    /// The answer to libcurl: all bytes taken, or none.
    private static func withTransfer(
        _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
        _ take: (CurlTransfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let context else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        // libcurl never hands over more than 1 MiB at once (CURL_MAX_READ_SIZE, CURL_MAX_HTTP_HEADER).
        let byteCount = size &* count
        return take(transfer, UnsafeRawBufferPointer(start: bytes, count: byteCount)) ? byteCount : 0
    }
}
