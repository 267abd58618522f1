import Dispatch
import EPGPicture
import EPGRefresh
import EPGRender
import EPGTerminal
import Glibc
import Synchronization

/// Downloads and decodes the pictures of `epg browse` on background threads, so that the browser stays responsive.
///
/// Accepts `http` and `https` URLs. Limits a download to 8 MiB and 20 seconds.
final class PictureLoader: Sendable {
    private struct State {
        /// The newest request; older ones are abandoned.
        var latest: PictureRequest?
        var finished: [(result: Result<TerminalPicture, PictureFailure>, request: PictureRequest)] = []
    }

    private let state = Mutex(State())
    private let fetcher = CurlFetcher(
        userAgent: "swift-epg/\(EPGCommand.version)",
        limits: FetchLimits(connectSeconds: 10, silenceSeconds: 10, totalSeconds: 20, byteCount: 8 << 20),
        retries: .never)
    /// Becomes readable when a download has finished; -1 if the system has no pipe left.
    let descriptor: Int32
    private let writingEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
        }
        (descriptor, writingEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writingEnd)
    }

    /// Starts a download and abandons the previous one.
    func fetch(_ request: PictureRequest) {
        state.withLock { $0.latest = request }
        DispatchQueue.global().async { [self] in
            let result = Result { () throws(PictureFailure) in try picture(for: request) }
            state.withLock { if $0.latest == request { $0.finished.append((result, request)) } }
            var notice: UInt8 = 0
            _ = write(writingEnd, &notice, 1)
        }
    }

    /// Returns the downloads that have finished since the last call.
    func takeFinished() -> [(result: Result<TerminalPicture, PictureFailure>, request: PictureRequest)] {
        var notices = [UInt8](repeating: 0, count: 64)
        _ = read(descriptor, &notices, notices.count)
        return state.withLock { state in
            defer { state.finished = [] }
            return state.finished
        }
    }

    private func picture(for request: PictureRequest) throws(PictureFailure) -> TerminalPicture {
        let file = try file(for: request)
        do throws(PictureError) {
            return try request.picture(decoding: file)
        } catch {
            throw PictureFailure(reason: PictureLoader.reason(of: error))
        }
    }

    private func file(for request: PictureRequest) throws(PictureFailure) -> [UInt8] {
        let watch = FetchObserver(isCancelled: { [self] in state.withLock { $0.latest != request } })
        let fetched: FetchResult
        do throws(FetchError) {
            fetched = try fetcher.fetch(FetchRequest(location: .url(request.url.text)), watch: watch)
        } catch {
            throw PictureFailure(reason: PictureLoader.reason(of: error))
        }
        guard case .body(let body) = fetched,
            let bytes = PictureLoader.bytes(ofFile: body.path, count: Int(body.byteCount))
        else { throw PictureFailure(reason: "cannot read the download") }
        return bytes
    }

    private static func bytes(ofFile path: String, count: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let more = bytes.withUnsafeMutableBytes {
                pread(file, $0.baseAddress.map { $0 + filled }, count - filled, filled)
            }
            guard more > 0 else { return nil }
            filled += more
        }
        return bytes
    }

    // MARK: - Messages

    private static func reason(of error: PictureError) -> String {
        switch error {
        case .unknownFormat: "it is neither PNG nor JPEG"
        case .unsupported(let feature): "unsupported format (\(feature))"
        case .damaged(let part): "the file is damaged (\(part))"
        case .truncated: "the file is incomplete"
        case .tooLarge(let width, let height): "\(width) × \(height) pixels exceed the limit"
        case .missingLibrary(let problem): problem
        }
    }

    private static func reason(of error: FetchError) -> String {
        switch error.reason {
        case .status(let status): "the server answered with status \(status)"
        case .unknownHost: "unknown host"
        case .cannotConnect: "the server is unreachable"
        case .timedOut: "the server timed out"
        case .tooLarge(let limit): "the file is larger than \(limit >> 20) MiB"
        case .empty: "the file is empty"
        case .refusedAddress(let host, _, _): "\(host) is on a private network"
        case .insecure: "cannot make a secure connection"
        case .libraryMissing: "cannot load libcurl"
        case .webPage: "the download is a web page"
        default: "the download failed"
        }
    }
}
