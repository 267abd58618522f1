import EPGAccess
import EPGHTTP
import EPGImport
import EPGModel
import EPGServer
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// The guides, playlists and accounts that administrators look at before they add them, and the imports of these guides.
///
/// Accepting a preview of a guide imports the file that was previewed. The file vanishes when the preview is added, discarded or
/// forgotten, which happens after 15 minutes unless it is being imported. There are at most four, not counting previews that were
/// added.
final class PreviewTable: Sendable {
    /// A file from the body of a request.
    struct Upload: Sendable {
        let file: SpoolFile
        /// The name that the browser gives the file.
        let name: String
    }

    /// A file that was read, which an import reads again.
    struct ReadFile: Sendable {
        let file: SpoolFile
        /// Where it comes from; `nil` for an upload.
        let download: GuideDownload?
        /// The zone in which times without one were read; `nil` for UTC.
        let zone: String?
        let preview: GuidePreview
    }

    /// A preview, which another thread reads.
    final class Entry: Sendable {
        enum Origin: Sendable {
            /// A file with this name.
            case upload(String)
            /// A URL, and a second URL to try if no connection to the first one is possible.
            case url(String, orElse: String? = nil)
            case account(AccountLogIn)
        }

        enum State: Sendable {
            /// The bytes received, and all bytes; 0 if they are unknown.
            case fetching(Int64, of: Int64)
            case reading
            case ready(ReadFile)
            /// The lineups of an account.
            case lineups([SchedulesDirectOffer])
            /// The reason, and the host that an administrator may allow.
            case failed(String, privateHost: String? = nil)
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
        fileprivate let isDiscarded = Flag()
        private let current: Mutex<State>
        private let lastFailure = Mutex<String?>(nil)
        private let form = Mutex<Form?>(nil)
        private let matched = Mutex<(count: Int, generation: Generation)?>(nil)

        fileprivate init(_ origin: Origin, _ state: State) {
            self.origin = origin
            current = Mutex(state)
        }

        var state: State { current.withLock { $0 } }

        /// The download of the guide or playlist; `nil` for none, and before it is read.
        var download: GuideDownload? { if case .ready(let read) = state { read.download } else { nil } }

        /// The values that the user had entered before the preview was read again; `nil` before.
        fileprivate(set) var draft: Form? {
            get { form.withLock { $0 } }
            set { form.withLock { $0 = newValue } }
        }

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

        /// Changes the state to reading, and returns the preview; `nil` unless it is complete.
        fileprivate func beginReading() -> ReadFile? {
            current.withLock { state in
                guard case .ready(let read) = state else { return nil }
                state = .reading
                return read
            }
        }

        /// Changes the state to importing, and returns the preview; `nil` unless it is complete.
        fileprivate func beginImport() -> ReadFile? {
            current.withLock { state in
                guard case .ready(let read) = state else { return nil }
                state = .importing(0, of: Int64(read.file.count))
                return read
            }
        }
    }

    private let entries = Mutex<[Entry]>([])
    private let spool: BodySpool
    /// Set when the service shuts down, which ends downloads, reads and imports.
    private let stopping: Flag
    private let executor: WorkExecutor
    private let logger: Logger

    /// How long a preview is kept.
    private let lifetime: Duration
    static let lifetime = Duration.seconds(900)
    static let capacity = WorkClass.previews.limits.running
    /// The part of a body besides the file.
    private static let fieldBytes = 1 << 20

    init(
        settings: UploadSettings, executor: WorkExecutor, stopping: Flag = Flag(),
        lifetime: Duration = PreviewTable.lifetime, logger: Logger
    ) {
        self.executor = executor
        self.stopping = stopping
        self.lifetime = lifetime
        self.logger = logger
        spool = BodySpool(settings, logger: logger)
    }

    /// Returns a preview; `nil` if it does not exist or is too old.
    func entry(_ id: String?) -> Entry? {
        guard let id else { return nil }
        return entries.withLock { $0.first { $0.id.equalsInConstantTime(id) } }
    }

    /// The previews that can be added or discarded, the oldest first.
    var waiting: [Entry] { entries.withLock { $0.filter { !$0.state.isAdded } } }

    /// Forgets a preview.
    func discard(_ entry: Entry) {
        entry.isDiscarded.set()
        entries.withLock { $0.removeAll { $0 === entry } }
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
    /// - Parameters:
    ///   - file: The uploaded file; `nil` for another origin.
    ///   - zone: The zone of times without one; `nil` for UTC.
    ///   - former: A preview that the new one replaces.
    /// - Throws: ``Problem`` with status 429 if there are too many previews.
    func begin(
        _ origin: Entry.Origin, file: SpoolFile? = nil, zone: String? = nil, replacing former: Entry? = nil,
        _ operations: any GuideAdministration
    ) throws(Problem) -> Entry {
        if let former { discard(former) } else { try checkCapacity() }
        let entry =
            switch origin {
            case .account(let logIn) where logIn.service == .schedulesDirect: Entry(origin, .reading)
            case .upload: Entry(origin, .reading)
            case .url, .account: Entry(origin, .fetching(0, of: 0))
            }
        entries.withLock { $0.append(entry) }
        Task { await read(entry, file, zone: zone, operations) }
        Task { [weak self, weak entry, lifetime] in
            repeat { try await Task.sleep(for: lifetime) } while entry?.state.isImporting == true
            if let entry { self?.discard(entry) }
        }
        return entry
    }

    /// Reads the file of a preview again, with another zone of times without one.
    ///
    /// - Parameter draft: The values of the form, which the page shows again.
    /// - Throws: ``Problem`` with status 409 if the preview is not complete.
    func readAgain(
        _ entry: Entry, zone: String?, draft: Form, _ operations: any GuideAdministration
    ) throws(Problem) {
        guard let former = entry.beginReading() else { throw Self.isNotComplete }
        entry.draft = draft
        let isCancelled = isCancelled(entry)
        Task {
            do {
                entry.set(
                    try await executor[.previews].run(for: nil) { _ in
                        let preview = try operations.preview(former.file, zone: zone, isCancelled: isCancelled)
                        return .ready(
                            ReadFile(file: former.file, download: former.download, zone: zone, preview: preview))
                    })
            } catch {
                entry.failure = reason(error)
                entry.set(.ready(former))
            }
        }
    }

    private static let isNotComplete = Problem(
        .conflict, "The preview is not complete yet, or is being added.")

    private func isCancelled(_ entry: Entry) -> @Sendable () -> Bool {
        { [stopping] in entry.isDiscarded.isSet || stopping.isSet }
    }

    /// Imports a previewed guide on another thread; ``Entry/state`` has the progress and the outcome.
    ///
    /// - Parameter former: The source with the same name, whose account a downloaded guide replaces; `nil` for none.
    /// - Throws: ``Problem`` with status 409 if the preview is not complete.
    func beginImport(
        of entry: Entry, as request: ImportRequest, replacing former: Source?, _ importer: any GuideImporting,
        _ service: GuideService, _ operations: any GuideAdministration
    ) throws(Problem) {
        guard let read = entry.beginImport() else { throw Self.isNotComplete }
        entry.failure = nil
        var request = request
        request.download = read.download
        let end = ContinuousClock.now + Self.lifetime
        Task { [request, stopping] in
            do {
                try await executor[.imports].run(for: nil, isKnown: true) { _ in
                    _ = try importer.importBody(
                        read.file, as: request, waiting: .until { ContinuousClock.now > end || stopping.isSet },
                        isCancelled: { stopping.isSet },
                        progress: { entry.set(.importing($0, of: Int64(read.file.count))) })
                    service.watch.refresh()
                    if let former, request.download != nil {
                        try operations.removeFiles(
                            of: former, besides: service.guide.read { try $0.sourceRecords().map(\.source) })
                    }
                }
                if request.followsGuides || request.account != nil {
                    // Adds the guides of the playlist.
                    operations.requestRefresh(of: [request.source], isForced: false)
                }
                entry.set(.added(request.source))
            } catch {
                entry.failure = reason(error)
                entry.set(.ready(read))
            }
        }
    }

    private func read(
        _ entry: Entry, _ upload: SpoolFile?, zone: String?, _ operations: any GuideAdministration
    ) async {
        let isCancelled = isCancelled(entry)
        do {
            let state = try await executor[.previews].run(for: nil) { _ -> Entry.State in
                var file = upload
                var download: GuideDownload?
                switch entry.origin {
                case .upload: break
                case .account(let logIn) where logIn.service == .schedulesDirect:
                    return .lineups(try operations.lineups(of: logIn, isCancelled: isCancelled))
                case .account(let logIn):
                    (file, download) = try operations.download(
                        logIn.url ?? "", of: logIn, progress: { entry.set(.fetching($0, of: $1 ?? 0)) },
                        isCancelled: isCancelled)
                    entry.set(.reading)
                case .url(let url, let other):
                    func fetch(_ url: String) throws -> (SpoolFile, GuideDownload) {
                        try operations.download(
                            url, of: nil, progress: { entry.set(.fetching($0, of: $1 ?? 0)) }, isCancelled: isCancelled)
                    }
                    do {
                        (file, download) = try fetch(url)
                    } catch let failure as UnreachableServer {
                        guard let other else { throw failure }
                        (file, download) = try fetch(other)
                    }
                    entry.set(.reading)
                }
                guard let file else { preconditionFailure("an upload has a file") }
                let preview = try operations.preview(file, zone: zone, isCancelled: isCancelled)
                return .ready(ReadFile(file: file, download: download, zone: zone, preview: preview))
            }
            entry.set(state)
        } catch let refusal as PrivateHostRefusal {
            entry.set(.failed(refusal.reason, privateHost: refusal.host))
        } catch {
            entry.set(.failed(reason(error)))
        }
    }

    private func reason(_ error: any Error) -> String {
        switch error {
        case let refusal as ImportRefusal:
            refusal.log(to: logger)
            return Problem(refusal).detail
        case let problem as Problem: return problem.detail
        case let failure as UnreachableServer: return failure.reason
        case let error as StoreError: return Problem(error).detail
        default: return "The guide cannot be read: \(error)."
        }
    }

    // MARK: - Uploads

    /// Reads the fields and the file of a form.
    ///
    /// - Parameter checkToken: Checks the token of the form, which must precede the file.
    /// - Throws: ``Problem`` as of ``BodySpool``, with status 400 for a malformed form; errors of `checkToken`.
    func spool(
        _ request: Request, _ admin: AdminRequest, checkToken: @Sendable (String?) throws -> Void
    ) async throws -> (Form, Upload) {
        try checkCapacity()
        var reader = try MultipartReader(contentType: request.headers[.contentType])
        var form = Form(labels: AdminRequest.labels)
        var upload: Upload?
        var fieldBytes = 0
        try await spool.receive(request, since: admin.context.client.arrival, extra: Self.fieldBytes) { chunk in
            var events: [MultipartReader.Event] = []
            try reader.append(chunk.readableBytesView) { events.append($0) }
            for event in events {
                switch event {
                case .field(let name, let value):
                    fieldBytes += value.utf8.count
                    guard fieldBytes <= Form.maximumSize else {
                        throw Problem(.contentTooLarge, "The form is too large.")
                    }
                    try form.append(name, value)
                case .file(_, let name):
                    guard upload == nil else { throw Problem(.badRequest, "The form has more than one file.") }
                    try checkToken(form["form-token"])
                    upload = Upload(file: try await spool.makeFile(), name: String(name.prefix(200)))
                case .bytes(let bytes):
                    guard let file = upload?.file else { continue }
                    try await spool.append(ByteBuffer(bytes: bytes), to: file)
                }
            }
        }
        guard reader.isComplete else { throw BodySpool.incomplete }
        guard let upload, upload.file.count > 0 else {
            try checkToken(form["form-token"])
            throw Problem(.unprocessableContent, "Choose a file that is not empty.", parameter: "file")
        }
        return (form, upload)
    }
}
