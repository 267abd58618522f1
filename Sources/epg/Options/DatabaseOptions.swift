import ArgumentParser
import EPGConfig
import EPGModel
import EPGStore
import Glibc

/// Which database holds the guide.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The guide's database. The default is EPG_DATABASE, else the database of epg.yml, else epg/guide.sqlite in \
            XDG_DATA_HOME or ~/.local/share.
            """, valueName: "file"))
    var database: String?

    /// Opens the guide for reading, hands it over and closes it.
    ///
    /// - Throws: ``StoreError`` where there is none.
    func read<Answer>(_ body: (any ScheduleReading) throws -> Answer) throws -> Answer {
        try readStore(body)
    }

    /// The same for what only a database can tell.
    func readStore<Answer>(_ body: (GuideStore) throws -> Answer) throws -> Answer {
        // A command reads most pages once.
        let store = try GuideStore(readingFrom: try path(), cacheKiB: 2 << 10)
        let answer = try body(store)
        try store.close()
        return answer
    }

    /// Opens the guide for writing, makes it where there is none, hands it over and closes it.
    ///
    /// The folders of the default place are made too (XDG Base Directory Specification: with mode 0700).
    /// - Parameter waits: Whether to wait for another writer.
    func write<Answer>(waits: Bool, _ body: (GuideStore) throws -> Answer) throws -> Answer {
        let path = try pathInFolder()
        let store: GuideStore
        do {
            store = try GuideStore(writingTo: path, waits: waits)
        } catch StoreError.inaccessible(let path, let detail) {
            throw CommandFailure(.cannotCreate, "The database can't be made or opened for writing: \(path): \(detail).")
        }
        let answer: Answer
        do {
            answer = try body(store)
        } catch {
            // What was committed must reach the database.
            do {
                try store.close()
            } catch let second where "\(second)" != "\(error)" {
                StandardError.write("epg: " + "\(second)".withoutControls + "\n")
            } catch {}
            throw error
        }
        try store.close()
        return answer
    }

    /// Opens a guide that is there for writing, hands it over and closes it.
    ///
    /// - Throws: ``StoreError/notFound(path:)`` where there is none.
    func change<Answer>(waits: Bool, _ body: (any ScheduleWriting) throws -> Answer) throws -> Answer {
        _ = try guide()
        return try write(waits: waits, body)
    }

    /// Migrates a guide that is there.
    ///
    /// - Throws: ``StoreError/notFound(path:)`` where there is none.
    func migrate(waits: Bool) throws -> MigrationReport {
        let path = try guide().path
        return try write(waits: waits) { store in
            if store.migratedVersion != nil { try store.refreshSearchIndex() }
            return MigrationReport(
                path: path, found: store.migratedVersion ?? GuideStore.schemaVersion, current: GuideStore.schemaVersion)
        }
    }

    /// Replaces the guide with the content of a backup; makes the folder of the default place where it is missing.
    ///
    /// - Parameter waits: Whether to wait for other processes.
    /// - Returns: What was done, and the path of the guide.
    func restore(from backup: String, now: Instant, waits: Bool) throws -> (report: RestoreReport, path: String) {
        let path = try pathInFolder()
        do {
            return (try GuideDatabase(path: path).restore(from: backup, now: now, waits: waits), path)
        } catch StoreError.inaccessible(let file, let detail) where file.hasPrefix(path) {
            throw CommandFailure(.cannotCreate, "\(path) cannot be restored: \(file): \(detail).")
        }
    }

    /// The guide, to be opened for moments.
    ///
    /// - Parameter mayMake: Whether to make an empty one where there is none.
    /// - Throws: ``StoreError/notFound(path:)`` where there is none, and none is to be made.
    func guide(mayMake: Bool = false) throws -> GuideDatabase {
        let path = try path()
        if access(path, F_OK) != 0 {
            guard mayMake else { throw StoreError.notFound(path: path) }
            try write(waits: true) { _ in }
        }
        return GuideDatabase(path: path) { StandardError.write("epg: \($0)\n") }
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
