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
        let store = try GuideStore(readingFrom: try place().path)
        let answer = try body(store)
        try store.close()
        return answer
    }

    /// Opens the guide for writing, makes it where there is none, hands it over and closes it.
    ///
    /// The folders of the default place are made too (XDG Base Directory Specification: with mode 0700).
    /// - Parameter waits: Whether to wait for another writer.
    func write<Answer>(waits: Bool, _ body: (GuideStore) throws -> Answer) throws -> Answer {
        let (path, isDefault) = try place()
        if isDefault { try Folder.make(for: path) }
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

    /// The guide, to be opened for moments.
    ///
    /// - Parameter mayMake: Whether to make an empty one where there is none.
    /// - Throws: ``StoreError/notFound(path:)`` where there is none, and none is to be made.
    func guide(mayMake: Bool = false) throws -> GuideDatabase {
        let path = try place().path
        if access(path, F_OK) != 0 {
            guard mayMake else { throw StoreError.notFound(path: path) }
            try write(waits: true) { _ in }
        }
        return GuideDatabase(path: path)
    }

    /// The path: the option, else the variable, else the one of `epg.yml`, else the place for a user's files, which is the
    /// default.
    ///
    /// - Throws: ``CommandFailure``, and `ConfigurationRefusal` where `epg.yml` can't be read.
    private func place() throws -> (path: String, isDefault: Bool) {
        if let database { return (database, false) }
        if let variable = Environment["EPG_DATABASE"], !variable.isEmpty { return (variable, false) }
        if let path = try ConfigurationReader(environment: ProcessEnvironment.variables).database() {
            return (path, false)
        }
        // A relative XDG_DATA_HOME is to be ignored (XDG Base Directory Specification).
        if let folder = Environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
            return (folder + "/epg/guide.sqlite", true)
        }
        guard let home = Environment["HOME"], home.hasPrefix("/") else {
            throw CommandFailure(
                .configuration, "HOME isn't set, so the guide has no place. Name a database with --database.")
        }
        return (home + "/.local/share/epg/guide.sqlite", true)
    }
}

/// Makes folders.
private enum Folder {
    /// Makes the folders above a file, as far as they are missing.
    static func make(for path: String) throws(CommandFailure) {
        let parts = path.split(separator: "/").dropLast()
        var folder = ""
        for part in parts {
            folder += "/" + part
            guard mkdir(folder, 0o700) != 0, errno != EEXIST else { continue }
            let number = errno
            // A folder that may not be made may still be there (on a read-only file system, say).
            if access(folder, F_OK) == 0 { continue }
            throw CommandFailure(
                .cannotCreate,
                "The folder \(folder) can't be made (\(String(cString: strerror(number)))). "
                    + "Name a database with --database.")
        }
    }
}
