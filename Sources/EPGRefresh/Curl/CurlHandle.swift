internal import CCurl

/// One transfer of libcurl with what has to live as long as it does.
final class CurlHandle {
    private let handle: UnsafeMutableRawPointer
    /// Where libcurl writes its words for a failure.
    private let words: UnsafeMutablePointer<CChar>
    private var lists: [UnsafeMutablePointer<curl_slist>] = []

    /// A transfer without options.
    ///
    /// - Throws: ``CurlFailure`` where libcurl can't be loaded or has no memory.
    init() throws(CurlFailure) {
        try CurlHandle.load()
        guard let handle = ccurl_easy_init() else {
            throw CurlFailure(code: CURLE_OUT_OF_MEMORY, words: "out of memory")
        }
        self.handle = handle
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try check(ccurl_setopt_pointer(handle, CURLOPT_ERRORBUFFER, words))
    }

    /// Loads libcurl where that hasn't happened yet.
    static func load() throws(CurlFailure) {
        guard let problem = ccurl_load() else { return }
        throw CurlFailure(code: CURLE_FAILED_INIT, words: String(cString: problem), isLibraryMissing: true)
    }

    deinit {
        ccurl_easy_cleanup(handle)
        for list in lists { ccurl_slist_free_all(list) }
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

    /// Sets a list of lines, such as header fields; an empty one stays unset.
    func set(_ option: CURLoption, to lines: [String]) throws(CurlFailure) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = ccurl_slist_append(list, line) else {
                ccurl_slist_free_all(list)
                throw CurlFailure(code: CURLE_OUT_OF_MEMORY, words: "out of memory")
            }
            list = longer
        }
        guard let list else { return }
        lists.append(list)
        try check(ccurl_setopt_list(handle, option, list))
    }

    /// Sets what opens the sockets.
    func setSocketFunction(_ function: ccurl_socket_function) throws(CurlFailure) {
        try check(ccurl_setopt_socket_function(handle, function))
    }

    /// Sets what hears of progress.
    func setProgressFunction(_ function: ccurl_progress_function) throws(CurlFailure) {
        try check(ccurl_setopt_progress_function(handle, function))
        try set(CURLOPT_NOPROGRESS, to: 0)
    }

    /// Bytes of the body that arrived, before they were unpacked.
    var arrivedByteCount: Int64 {
        var count: curl_off_t = 0
        return ccurl_getinfo_offset(handle, CURLINFO_SIZE_DOWNLOAD_T, &count) == CURLE_OK ? Int64(count) : 0
    }

    /// Does the transfer; blocks until it has ended.
    func perform() throws(CurlFailure) {
        try check(ccurl_easy_perform(handle))
    }

    private func check(_ code: CURLcode) throws(CurlFailure) {
        guard code != CURLE_OK else { return }
        let own = String(cString: words)
        let text = own.isEmpty ? String(cString: ccurl_easy_strerror(code)) : own
        throw CurlFailure(code: code, words: text)
    }
}

/// A failure as libcurl tells it.
struct CurlFailure: Error {
    let code: CURLcode
    let words: String
    var isLibraryMissing = false
}
