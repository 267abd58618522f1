import EPGAccess
import EPGImport
import EPGModel
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization

/// The guides and playlists that administrators look at before they add them.
///
/// A preview is forgotten after 15 minutes, with its file. There are at most four.
final class PreviewTable: Sendable {
    /// A file from the body of a request.
    struct Upload: Sendable {
        let file: SpoolFile
        /// The name that the browser gives the file.
        let name: String
    }

    /// A preview, which another thread reads.
    final class Entry: Sendable {
        enum Origin: Sendable {
            case upload(Upload)
            case url(String)
        }

        enum State: Sendable {
            /// The bytes received, and all bytes; 0 if they are unknown.
            case fetching(Int64, of: Int64)
            case reading
            case ready(GuidePreview)
            case failed(String)
        }

        let id = RandomSecret.make()
        let origin: Origin
        let created = ContinuousClock.now
        fileprivate let isDiscarded = Flag()
        private let current: Mutex<State>

        fileprivate init(_ origin: Origin, _ state: State) {
            self.origin = origin
            current = Mutex(state)
        }

        var state: State { current.withLock { $0 } }

        fileprivate func set(_ state: State) { current.withLock { $0 = state } }
    }

    private let entries = Mutex<[Entry]>([])
    private let settings: ImportSettings
    private let folder: SpoolFolder
    private let admission = RequestAdmission(
        RequestAdmission.Limits(running: 1, runningPerClient: 1, places: 8, placesPerClient: 8, retryAfter: 5))

    static let lifetime = Duration.seconds(900)
    static let capacity = 4
    /// The part of a body besides the file.
    private static let fieldBytes = 1 << 20

    init(settings: ImportSettings) {
        self.settings = settings
        folder = SpoolFolder(path: settings.folder, capacity: 2 * settings.maximumSize + (1 << 20))
    }

    /// The thread that reads the files, which the owner of the service starts and stops.
    var threads: NIOThreadPool { admission.threads }

    /// Returns a preview; `nil` if it does not exist or is too old.
    func entry(_ id: String?, at now: ContinuousClock.Instant = .now) -> Entry? {
        guard let id else { return nil }
        removeOld(at: now)
        return entries.withLock { $0.first { $0.id.equalsInConstantTime(id) } }
    }

    /// Forgets a preview.
    func discard(_ entry: Entry) {
        entry.isDiscarded.set()
        entries.withLock { $0.removeAll { $0 === entry } }
    }

    private func removeOld(at now: ContinuousClock.Instant) {
        let old = entries.withLock { entries in
            let old = entries.filter { now - $0.created >= Self.lifetime }
            entries.removeAll { now - $0.created >= Self.lifetime }
            return old
        }
        for entry in old { entry.isDiscarded.set() }
    }

    /// Starts to read a guide or playlist.
    ///
    /// - Throws: ``Problem`` with status 429 if there are too many previews.
    func begin(_ origin: Entry.Origin, _ operations: any GuideAdministration) throws(Problem) -> Entry {
        removeOld(at: .now)
        let entry =
            switch origin {
            case .upload: Entry(origin, .reading)
            case .url: Entry(origin, .fetching(0, of: 0))
            }
        let isAdded = entries.withLock { entries in
            guard entries.count < Self.capacity else { return false }
            entries.append(entry)
            return true
        }
        guard isAdded else {
            throw Problem(.tooManyRequests, "There are too many previews. Add or discard one first.", retryAfter: 60)
        }
        Task { await read(entry, operations) }
        return entry
    }

    private func read(_ entry: Entry, _ operations: any GuideAdministration) async {
        do {
            let preview = try await admission.run(for: nil) { _ in
                switch entry.origin {
                case .upload(let upload): return try operations.preview(upload.file)
                case .url(let url):
                    return try operations.preview(url: url) { count, total in
                        entry.set(total == count ? .reading : .fetching(count, of: total ?? 0))
                    } isCancelled: {
                        entry.isDiscarded.isSet
                    }
                }
            }
            entry.set(.ready(preview))
        } catch let refusal as ImportRefusal {
            entry.set(.failed(Problem(refusal).detail))
        } catch let problem as Problem {
            entry.set(.failed(problem.detail))
        } catch {
            entry.set(.failed("The guide cannot be read: \(error)."))
        }
    }

    // MARK: - Uploads

    /// Reads the fields and the file of a form.
    ///
    /// - Parameter checkToken: Checks the token of the form, which must precede the file.
    /// - Throws: ``Problem`` with status 413 for a file above the limit of imports, 408 for a body that does not end before the
    ///   deadline, 400 for a malformed or incomplete one, 503 without room; errors of `checkToken`.
    func spool(
        _ request: Request, _ admin: AdminRequest, checkToken: @Sendable (String?) throws -> Void
    ) async throws -> (Form, Upload) {
        let tooLarge = Problem(
            .contentTooLarge,
            "The file exceeds the limit of \(settings.maximumSize) bytes. Compress it, or import it on the host of the service."
        )
        let length = request.headers[.contentLength].flatMap { Int($0) }
        guard length ?? 0 <= settings.maximumSize + Self.fieldBytes else { throw tooLarge }
        guard entries.withLock({ $0.count }) < Self.capacity else {
            throw Problem(.tooManyRequests, "There are too many previews. Add or discard one first.", retryAfter: 60)
        }
        let deadline = admin.context.client.arrival.advanced(by: settings.deadline)
        var reader = try MultipartReader(contentType: request.headers[.contentType])
        var form = Form()
        var upload: Upload?
        do {
            for try await chunk in request.body {
                guard ContinuousClock.now < deadline else {
                    throw Problem(.requestTimeout, "The upload took too long. Compress the file.")
                }
                var events: [MultipartReader.Event] = []
                try reader.append(chunk.readableBytesView) { events.append($0) }
                for event in events {
                    switch event {
                    case .field(let name, let value):
                        guard value.utf8.count <= Form.maximumSize else { throw tooLarge }
                        try form.append(name, value)
                    case .file(_, let name):
                        guard upload == nil else { throw Problem(.badRequest, "The form has more than one file.") }
                        try checkToken(form["form-token"])
                        let file = try await NIOThreadPool.singleton.runIfActive { [folder] in try folder.makeFile() }
                        upload = Upload(file: file, name: String(name.prefix(200)))
                    case .bytes(let bytes):
                        guard let file = upload?.file else { continue }
                        guard file.count + bytes.count <= settings.maximumSize else { throw tooLarge }
                        try await NIOThreadPool.singleton.runIfActive { try file.append(Array(bytes)) }
                    }
                }
            }
        } catch let problem as Problem {
            throw problem
        } catch is SpoolError {
            throw Problem(
                .serviceUnavailable, "There is not enough spool space for the file. Try again later.", retryAfter: 60)
        } catch {
            throw Problem(.badRequest, "The upload is incomplete. Send it again.")
        }
        guard reader.isComplete else { throw Problem(.badRequest, "The upload is incomplete. Send it again.") }
        guard let upload, upload.file.count > 0 else {
            try checkToken(form["form-token"])
            throw Problem(.unprocessableContent, "Choose a file that is not empty.")
        }
        return (form, upload)
    }
}
