import ArgumentParser
import EPGConfig
import EPGModel
import EPGStore
import Glibc
import Synchronization

/// Which database holds the guide.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The guide's database. The default is EPG_DATABASE, else the database of epg.yml, else epg/guide.sqlite in \
            XDG_DATA_HOME or ~/.local/share.
            """, valueName: "file"))
    var database: String?

    /// The guide, which need not be there: the one place of this program that knows what stores it.
    func guide() throws -> any GuideStorage { open(at: try path()) }

    /// Hands the guide over for reading.
    ///
    /// - Throws: ``StoreError/notFound(path:)`` where there is none.
    func read<Answer>(_ body: (any GuideReading) throws -> Answer) throws -> Answer {
        try guide().read(body)
    }

    /// Hands the guide over for writing, and makes it where there is none.
    ///
    /// The folders of the default place are made too (XDG Base Directory Specification: with mode 0700).
    /// - Parameter waits: Whether to wait for another writer.
    /// - Throws: An `ExitCode` where all was written and the disk may be failing.
    func write<Answer>(waits: Bool, _ body: (any GuideWriting) throws -> Answer) throws -> Answer {
        let isUnfinished = Atomic(false)
        let answer = try open(at: try pathInFolder(), onUnfinished: { isUnfinished.store(true, ordering: .relaxed) })
            .write(waiting: waits ? .always : .never, body)
        guard !isUnfinished.load(ordering: .relaxed) else {
            throw ExitCode(CommandFailure.Code.inputOutput.rawValue)
        }
        return answer
    }

    /// Hands a guide that is there over for writing.
    ///
    /// - Throws: ``StoreError/notFound(path:)`` where there is none.
    func change<Answer>(waits: Bool, _ body: (any GuideWriting) throws -> Answer) throws -> Answer {
        let guide = try guide()
        guard guide.exists else { throw StoreError.notFound(path: guide.location) }
        return try write(waits: waits, body)
    }

    /// Replaces the guide with the content of a backup; makes the folder of the default place where it is missing.
    ///
    /// - Parameter waits: Whether to wait for other processes.
    /// - Returns: What was done, and where the guide is.
    func restore(from backup: String, now: Instant, waits: Bool) throws -> (report: RestoreReport, path: String) {
        let guide = open(at: try pathInFolder())
        do {
            return (try guide.restore(from: backup, now: now, waiting: waits ? .always : .never), guide.location)
        } catch StoreError.inaccessible(let file, let detail) where file.hasPrefix(guide.location) {
            throw CommandFailure(.cannotCreate, "\(guide.location) cannot be restored: \(file): \(detail).")
        }
    }

    /// A guide at a path.
    ///
    /// - Parameter onUnfinished: Is called when the disk may be failing, of which standard error then tells.
    private func open(at path: String, onUnfinished: @escaping @Sendable () -> Void = {}) -> any GuideStorage {
        // A command reads most pages once.
        GuideDatabase(path: path, connections: 1, cacheKiB: 2 << 10) { error in
            StandardError.write("epg: " + "\(error)".withoutControls + "\n")
            onUnfinished()
        }
    }

    /// The path, with the folders of the default place made.
    private func pathInFolder() throws -> String {
        let path = try path()
        if let place = DefaultDatabase(environment: ProcessEnvironment.variables), place.path == path {
            do throws(DefaultDatabase.Failure) {
                try place.makeFolder()
            } catch {
                throw CommandFailure(
                    .cannotCreate,
                    "The folder \(error.folder) can't be made (\(String(cString: strerror(error.number)))). "
                        + "Name a database with --database.")
            }
        }
        return path
    }

    /// The path: the option, else the variable, else the one of `epg.yml`, else the place for a user's files.
    ///
    /// - Throws: ``CommandFailure``, and `ConfigurationRefusal` where `epg.yml` can't be read.
    private func path() throws -> String {
        if let database { return database }
        let environment = ProcessEnvironment.variables
        if let variable = environment["EPG_DATABASE"], !variable.isEmpty { return variable }
        if let path = try ConfigurationReader(environment: environment).database() { return path }
        guard let place = DefaultDatabase(environment: environment) else {
            throw CommandFailure(
                .configuration, "HOME isn't set, so the guide has no place. Name a database with --database.")
        }
        return place.path
    }
}
