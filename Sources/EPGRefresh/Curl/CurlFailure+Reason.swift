internal import CCurl

extension CurlFailure {
    /// What the failure means for a fetch.
    ///
    /// - Parameter limits: The limits that the transfer had.
    func reason(limits: FetchLimits) -> FetchError.Reason {
        if isLibraryMissing { return .libraryMissing(words) }
        return switch code {
        case CURLE_URL_MALFORMAT: .malformedLocation
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .unknownHost
        case CURLE_COULDNT_CONNECT: .cannotConnect
        case CURLE_OPERATION_TIMEDOUT: .timedOut(words)
        case CURLE_FILESIZE_EXCEEDED: .tooLarge(limit: limits.byteCount)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR: .cutShort
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            .insecure(words)
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        case CURLE_BAD_CONTENT_ENCODING: .badEncoding(words)
        default: .transfer(code: Int(code.rawValue), words)
        }
    }
}
