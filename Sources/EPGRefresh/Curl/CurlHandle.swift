internal import CCurl

/// One transfer of libcurl with what has to live as long as it does.
final class CurlHandle {
    private let handle: UnsafeMutableRawPointer
    /// Where libcurl writes its words for a failure.
    private let words: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?

    /// A transfer without options.
    ///
    /// - Throws: ``CurlFailure`` where libcurl can't be loaded or has no memory.
    init() throws(CurlFailure) {
        if let problem = ccurl_load() {
            throw CurlFailure(code: CURLE_FAILED_INIT, words: String(cString: problem), isLibraryMissing: true)
        }
        guard let handle = ccurl_easy_init() else {
            throw CurlFailure(code: CURLE_OUT_OF_MEMORY, words: "out of memory")
        }
        self.handle = handle
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try check(ccurl_setopt_pointer(handle, CURLOPT_ERRORBUFFER, words))
    }

    deinit {
        ccurl_easy_cleanup(handle)
        ccurl_slist_free_all(headers)
        words.deallocate()
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

    /// Allows http and https alone, for redirects too.
    func allowHTTPOnly() throws(CurlFailure) {
        try check(ccurl_allow_http_only(handle))
    }

    /// Sends header fields with the request, each as `Name: value`.
    func setHeaders(_ lines: [String]) throws(CurlFailure) {
        for line in lines {
            guard let longer = ccurl_slist_append(headers, line) else {
                throw CurlFailure(code: CURLE_OUT_OF_MEMORY, words: "out of memory")
            }
            headers = longer
        }
        guard let headers else { return }
        try check(ccurl_setopt_list(handle, CURLOPT_HTTPHEADER, headers))
    }

    /// Does the transfer; blocks until it has ended. Returns the status of the last response.
    func perform() throws(CurlFailure) -> Int {
        try check(ccurl_easy_perform(handle))
        return status
    }

    /// The status of the last response; 0 where none came.
    private var status: Int {
        var status = 0
        return ccurl_getinfo_long(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0
    }

    private func check(_ code: CURLcode) throws(CurlFailure) {
        guard code != CURLE_OK else { return }
        let own = String(cString: words)
        let text = own.isEmpty ? String(cString: ccurl_easy_strerror(code)) : own
        throw CurlFailure(code: code, words: text, status: status)
    }
}

/// A failure as libcurl tells it.
struct CurlFailure: Error {
    let code: CURLcode
    let words: String
    /// The status of the last response; 0 where none came.
    var status = 0
    var isLibraryMissing = false
}
