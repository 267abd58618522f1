import EPGAccess
import EPGImport
import EPGModel
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization

/// The guides, playlists and accounts that administrators look at before they add them, and the imports of uploaded guides.
///
/// A preview is forgotten after 15 minutes, with its file, unless it is being imported. There are at most four besides those that
/// were added.
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
            case account(SchedulesDirectLogIn)
        }

        enum State: Sendable {
            /// The bytes received, and all bytes; 0 if they are unknown.
            case fetching(Int64, of: Int64)
            case reading
            case ready(GuidePreview)
            /// The lineups of an account.
            case lineups([SchedulesDirectOffer])
            case failed(String)
            /// The bytes of the file read so far, and all bytes.
            case importing(Int64, of: Int64)
            /// Was added as this source.
            case added(String)

            /// Whether another thread changes the state in a moment.
            var isRunning: Bool {
                switch self {
                case .fetching, .reading, .importing: true
                case .ready, .lineups, .failed, .added: false
                }
            }

            fileprivate var hasFailed: Bool { if case .failed = self { true } else { false } }
            fileprivate var isAdded: Bool { if case .added = self { true } else { false } }
            fileprivate var isImporting: Bool { if case .importing = self { true } else { false } }
        }

        let id = RandomSecret.make()
        let origin: Origin
        let created = ContinuousClock.now
        fileprivate let isDiscarded = Flag()
        private let current: Mutex<State>
        private let lastFailure = Mutex<String?>(nil)
        private let matched = Mutex<(count: Int, generation: Generation)?>(nil)

        fileprivate init(_ origin: Origin, _ state: State) {
            self.origin = origin
            current = Mutex(state)
        }

        var state: State { current.withLock { $0 } }

        /// Whether the preview can be fetched again.
        var isRepeatable: Bool { if case .upload = origin { false } else { true } }

        /// The reason why the last attempt to add the preview failed; `nil` before.
        fileprivate(set) var failure: String? {
            get { lastFailure.withLock { $0 } }
            set { lastFailure.withLock { $0 = newValue } }
        }

        /// Returns the number of channels with a station, which is counted once for each generation of the guide.
        func matchedCount(at generation: Generation, count: () throws -> Int) rethrows -> Int {
            if let known = matched.withLock({ $0 }), known.generation == generation { return known.count }
            let count = try count()
            matched.withLock { $0 = (count, generation) }
            return count
        }

        fileprivate func set(_ state: State) { current.withLock { $0 = state } }

        /// Changes the state to importing, and returns the preview; `nil` unless it is complete.
        fileprivate func beginImport(of byteCount: Int64) -> GuidePreview? {
            current.withLock { state in
                guard case .ready(let preview) = state else { return nil }
                state = .importing(0, of: byteCount)
                return preview
            }
        }
    }

    private let entries = Mutex<[Entry]>([])
    private let settings: ImportSettings
    private let folder: SpoolFolder
    /// Set when the service shuts down, which ends downloads.
    let stopping: Flag
    private let executor: WorkExecutor

    /// How long a preview is kept.
    private let lifetime: Duration
    static let lifetime = Duration.seconds(900)
    static let capacity = 4
    /// The part of a body besides the file.
    private static let fieldBytes = 1 << 20

    init(
        settings: ImportSettings, executor: WorkExecutor, stopping: Flag = Flag(),
        lifetime: Duration = PreviewTable.lifetime
    ) {
        self.settings = settings
        self.executor = executor
        self.stopping = stopping
        self.lifetime = lifetime
        folder = SpoolFolder(path: settings.folder, capacity: 2 * settings.maximumSize + (1 << 20))
    }

    /// Returns a preview; `nil` if it does not exist or is too old.
    func entry(_ id: String?, at now: ContinuousClock.Instant = .now) -> Entry? {
        guard let id else { return nil }
        removeOld(at: now)
        return entries.withLock { $0.first { $0.id.equalsInConstantTime(id) } }
    }

    /// The previews that can be added or discarded, the oldest first.
    var waiting: [Entry] {
        removeOld(at: .now)
        return entries.withLock { $0.filter { !$0.state.isAdded } }
    }

    /// Forgets a preview.
    func discard(_ entry: Entry) {
        entry.isDiscarded.set()
        entries.withLock { $0.removeAll { $0 === entry } }
    }

    private func removeOld(at now: ContinuousClock.Instant) {
        let isOld = { (entry: Entry) in now - entry.created >= self.lifetime && !entry.state.isImporting }
        let old = entries.withLock { entries in
            let old = entries.filter(isOld)
            entries.removeAll(where: isOld)
            return old
        }
        for entry in old { entry.isDiscarded.set() }
    }

    /// Makes room for a preview: the oldest failed one is forgotten if there are four.
    ///
    /// - Throws: ``Problem`` with status 429 if there are too many previews.
    private func checkCapacity() throws(Problem) {
        guard waiting.count >= Self.capacity else { return }
        if let failed = waiting.first(where: { $0.state.hasFailed }) { return discard(failed) }
        throw Problem(
            .tooManyRequests, "There are already \(Self.capacity) previews. Add or discard one of them first.",
            retryAfter: 60)
    }

    /// Starts to read a guide or playlist.
    ///
    /// - Parameter former: A preview that the new one replaces.
    /// - Throws: ``Problem`` with status 429 if there are too many previews.
    func begin(
        _ origin: Entry.Origin, replacing former: Entry? = nil, _ operations: any GuideAdministration
    ) throws(Problem) -> Entry {
        if let former { discard(former) } else { try checkCapacity() }
        let entry =
            switch origin {
            case .upload, .account: Entry(origin, .reading)
            case .url: Entry(origin, .fetching(0, of: 0))
            }
        entries.withLock { $0.append(entry) }
        Task { await read(entry, operations) }
        // Abandoned previews give back their memory and files.
        Task { [weak self, lifetime] in
            do {
                try await Task.sleep(for: lifetime)
            } catch {
                return
            }
            self?.removeOld(at: .now)
        }
        return entry
    }

    /// Imports an uploaded guide on another thread; ``Entry/state`` has the progress and the outcome.
    ///
    /// - Parameter add: Imports the guide, and receives a closure for the bytes read so far.
    /// - Throws: ``Problem`` with status 409 if the preview is not complete.
    func beginImport(
        of entry: Entry, as name: String, _ upload: Upload,
        _ add: @escaping @Sendable (@escaping @Sendable (Int64) -> Void) throws -> Void
    ) throws(Problem) {
        let byteCount = Int64(upload.file.count)
        guard let preview = entry.beginImport(of: byteCount) else {
            throw Problem(.conflict, "The preview is not complete yet, or is being added.")
        }
        entry.failure = nil
        Task {
            var failure: String?
            do {
                try await executor[.imports].run(for: nil, isKnown: true) { _ in
                    try add { entry.set(.importing($0, of: byteCount)) }
                }
            } catch {
                failure = Self.reason(error)
            }
            if let failure {
                entry.failure = failure
                entry.set(.ready(preview))
            } else {
                entry.set(.added(name))
            }
        }
    }

    private func read(_ entry: Entry, _ operations: any GuideAdministration) async {
        let isCancelled: @Sendable () -> Bool = { [stopping] in entry.isDiscarded.isSet || stopping.isSet }
        do {
            let state = try await executor[.previews].run(for: nil) { _ -> Entry.State in
                switch entry.origin {
                case .upload(let upload): return .ready(try operations.preview(upload.file))
                case .account(let logIn):
                    return .lineups(try operations.lineups(of: logIn, isCancelled: isCancelled))
                case .url(let url):
                    let progress: @Sendable (Int64, Int64?) -> Void = { count, total in
                        entry.set(total == count ? .reading : .fetching(count, of: total ?? 0))
                    }
                    return .ready(try operations.preview(url: url, progress: progress, isCancelled: isCancelled))
                }
            }
            entry.set(state)
        } catch {
            entry.set(.failed(Self.reason(error)))
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let refusal as ImportRefusal: Problem(refusal).detail
        case let problem as Problem: problem.detail
        case let error as StoreError: Problem(error).detail
        default: "The guide cannot be read: \(error)."
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
        try checkCapacity()
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
