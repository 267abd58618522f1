internal import CCurl

/// A libcurl easy handle and the memory that must live as long.
final class CurlHandle {
    private let handle: UnsafeMutableRawPointer
    /// The buffer for libcurl's error message.
    private let errorBuffer: UnsafeMutablePointer<CChar>
    private var lists: [UnsafeMutablePointer<curl_slist>] = []

    /// Creates a transfer without options.
    ///
    /// - Throws: ``CurlFailure`` if libcurl cannot be loaded or is out of memory.
    init() throws(CurlFailure) {
        try CurlHandle.load()
        guard let handle = ccurl_easy_init() else {
            throw CurlFailure(code: CURLE_OUT_OF_MEMORY, message: "out of memory")
        }
        self.handle = handle
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try check(ccurl_setopt_pointer(handle, CURLOPT_ERRORBUFFER, errorBuffer))
    }

    /// Loads libcurl unless it is already loaded.
    static func load() throws(CurlFailure) {
        guard let problem = ccurl_load() else { return }
        throw CurlFailure(code: CURLE_FAILED_INIT, message: String(cString: problem), isLibraryMissing: true)
    }

    deinit {
        ccurl_easy_cleanup(handle)
        for list in lists { ccurl_slist_free_all(list) }
        errorBuffer.deallocate()
    }

    func set(_ option: CURLoption, to value: Int) throws(CurlFailure) {
        try check(ccurl_setopt_long(handle, option, value))
    }

    func set(_ option: CURLoption, toByteCount value: Int64) throws(CurlFailure) {
        try check(ccurl_setopt_offset(handle, option, curl_off_t(value)))
    }

    func set(_ option: CURLoption, to value: String) throws(CurlFailure) {
        try check(ccurl_setopt_string(handle, option, value))
    }

    func set(_ option: CURLoption, to function: ccurl_data_function) throws(CurlFailure) {
        try check(ccurl_setopt_function(handle, option, function))
    }

    func set(_ option: CURLoption, to context: UnsafeMutableRawPointer) throws(CurlFailure) {
        try check(ccurl_setopt_pointer(handle, option, context))
    }

    /// Allows only http and https, also for redirects.
    func allowHTTPOnly() throws(CurlFailure) {
        try check(ccurl_allow_http_only(handle))
    }

    /// Sets a list of lines, such as headers. An empty list leaves the option unset.
    func set(_ option: CURLoption, to lines: [String]) throws(CurlFailure) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = ccurl_slist_append(list, line) else {
                ccurl_slist_free_all(list)
                throw CurlFailure(code: CURLE_OUT_OF_MEMORY, message: "out of memory")
            }
            list = longer
        }
        guard let list else { return }
        lists.append(list)
        try check(ccurl_setopt_list(handle, option, list))
    }

    /// Sets the callback that opens sockets.
    func setSocketFunction(_ function: ccurl_socket_function) throws(CurlFailure) {
        try check(ccurl_setopt_socket_function(handle, function))
    }

    /// Sets the callback for progress.
    func setProgressFunction(_ function: ccurl_progress_function) throws(CurlFailure) {
        try check(ccurl_setopt_progress_function(handle, function))
        try set(CURLOPT_NOPROGRESS, to: 0)
    }

    /// Bytes of the body received so far, before decompression.
    var arrivedByteCount: Int64 {
        var count: curl_off_t = 0
        return ccurl_getinfo_offset(handle, CURLINFO_SIZE_DOWNLOAD_T, &count) == CURLE_OK ? Int64(count) : 0
    }

    /// Performs the transfer. Blocks until it ends.
    func perform() throws(CurlFailure) {
        try check(ccurl_easy_perform(handle))
    }

    private func check(_ code: CURLcode) throws(CurlFailure) {
        guard code != CURLE_OK else { return }
        let detail = String(cString: errorBuffer)
        let text = detail.isEmpty ? String(cString: ccurl_easy_strerror(code)) : detail
        throw CurlFailure(code: code, message: text)
    }
}

/// A failure of a libcurl function.
struct CurlFailure: Error {
    let code: CURLcode
    let message: String
    var isLibraryMissing = false
}

// MARK: - Reasons

extension CurlFailure {
    /// Returns what the failure means for a fetch.
    ///
    /// - Parameter limits: The limits of the transfer.
    func reason(limits: FetchLimits) -> FetchError.Reason {
        if isLibraryMissing { return .libraryMissing(message) }
        return switch code {
        case CURLE_URL_MALFORMAT: .malformedLocation
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .unknownHost
        case CURLE_COULDNT_CONNECT: .cannotConnect
        case CURLE_OPERATION_TIMEDOUT: .timedOut(message)
        case CURLE_FILESIZE_EXCEEDED: .tooLarge(limit: limits.byteCount)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR: .truncated
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            .insecure(message)
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        case CURLE_BAD_CONTENT_ENCODING: .badEncoding(message)
        default: .transfer(code: Int(code.rawValue), message)
        }
    }
}
