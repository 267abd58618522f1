import EPGFiles
import EPGModel
import EPGPicture
import EPGRefresh
import EPGRender
import EPGTerminal
import Synchronization

/// Downloads and decodes the pictures of `epg browse`.
///
/// Accepts `http` and `https` URLs. Limits a download to 8 MiB and 20 seconds.
final class PictureLoader: Sendable {
    /// The newest request; older ones are abandoned.
    private let latest = Mutex<PictureRequest?>(nil)
    private let fetcher = CurlFetcher(
        userAgent: "swift-epg/\(EPGCommand.version)",
        limits: FetchLimits(connectSeconds: 10, silenceSeconds: 10, totalSeconds: 20, byteCount: 8 << 20),
        retries: .never)

    /// Returns the download of a picture, and abandons the previous one.
    func work(for request: PictureRequest) -> BackgroundWork.Work {
        latest.withLock { $0 = request }
        return { [self] in
            let result = Result { () throws(PictureFailure) in try picture(for: request) }
            return { $0.receive(result, for: request) }
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
        let watch = FetchObserver(isCancelled: { [self] in latest.withLock { $0 != request } })
        let fetched: FetchResult
        do throws(FetchError) {
            fetched = try fetcher.fetch(FetchRequest(location: .url(request.url.text)), watch: watch)
        } catch {
            throw PictureFailure(reason: PictureLoader.reason(of: error))
        }
        guard case .body(let body) = fetched,
            let bytes = try? OpenFile(reading: body.path).rest(upTo: Int(body.byteCount))
        else { throw PictureFailure(reason: "cannot read the download") }
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
        case .insecure, .noTLS: "cannot make a secure connection"
        case .libraryMissing: "cannot load libcurl"
        case .webPage: "the download is a web page"
        default: "the download failed"
        }
    }
}
