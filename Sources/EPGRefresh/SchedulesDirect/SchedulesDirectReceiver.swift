internal import CCurl

/// What libcurl's callbacks gather of an answer: some header fields, and the body in a temporary file.
final class SchedulesDirectReceiver {
    let file: TemporaryFile
    private(set) var status = 0
    private(set) var location: String?
    private(set) var retryAfter: String?
    private(set) var date: String?
    /// Why the body wasn't taken any further.
    private(set) var failure: FetchError.Reason?
    private var byteCount: Int64 = 0
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
            SchedulesDirectReceiver.withReceiver(context, bytes, size, count) { $0.take(body: $1) }
        }
        try handle.set(CURLOPT_HEADERDATA, to: context)
        try handle.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            SchedulesDirectReceiver.withReceiver(context, bytes, size, count) { receiver, bytes in
                receiver.take(line: String(decoding: bytes.prefix(4096), as: UTF8.self))
                return true
            }
        }
    }

    /// Takes unpacked bytes of the body; `false` ends the transfer.
    private func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        guard Int64(bytes.count) <= byteLimit - byteCount else {
            failure = .tooLarge(limit: byteLimit)
            return false
        }
        do throws(SystemFailure) {
            try file.write(bytes)
        } catch {
            failure = .inputOutput(error.code)
            return false
        }
        byteCount += Int64(bytes.count)
        return true
    }

    /// Takes a header line; a status line begins a new response, of which the fields before it are no part.
    private func take(line: String) {
        if line.hasPrefix("HTTP/") {
            (location, retryAfter, date) = (nil, nil, nil)
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
            return
        }
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return }
        let value = String(parts[1].drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        switch parts[0].lowercased() {
        case "location": location = value
        case "retry-after": retryAfter = value
        case "date": date = value
        default: break
        }
    }

    /// The answer to libcurl: all bytes taken, or none.
    private static func withReceiver(
        _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
        _ take: (SchedulesDirectReceiver, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let context else { return 0 }
        let receiver = Unmanaged<SchedulesDirectReceiver>.fromOpaque(context).takeUnretainedValue()
        // libcurl never hands over more than 1 MiB at once (CURL_MAX_READ_SIZE, CURL_MAX_HTTP_HEADER).
        let byteCount = size &* count
        return take(receiver, UnsafeRawBufferPointer(start: bytes, count: byteCount)) ? byteCount : 0
    }
}
