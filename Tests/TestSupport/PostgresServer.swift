import Foundation
import Synchronization

/// A PostgreSQL server for the tests of one process, in a temporary folder with a Unix socket. It ends with the process.
package final class PostgresServer: Sendable {
    /// The server; `nil` if PostgreSQL is not installed.
    package static let shared = PostgresServer()

    /// Whether PostgreSQL is installed.
    package static let requirement = Requirement(binaries != nil, missing: "PostgreSQL (Debian: postgresql-15)")

    private let folder: String
    private let schemas = Mutex(Schemas())

    /// The number of locations that were returned, and of schemas that exist.
    private struct Schemas {
        var used = 0
        var created = 0
    }

    /// The folder with `initdb` and `postgres`, of the latest version.
    private static let binaries: String? = {
        let root = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { Int($0) }
        let folders = versions.sorted(by: >).map { "\(root)/\($0)/bin" }
        return folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    }()

    private init?() {
        guard let binaries = Self.binaries else { return nil }
        folder = FileManager.default.temporaryDirectory.appending(path: "epg-postgres-\(getpid())").path
        // The server refuses to run as root. The shell ends it when the test ends, because that closes the standard input.
        let script = """
            set -e
            folder=$1; bin=$2
            run() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
            rm -rf "$folder"; mkdir -p "$folder"; [ "$(id -u)" = 0 ] && chown postgres "$folder"
            cd "$folder"
            run "$bin/initdb" -D "$folder/data" -U postgres -A trust --locale=C.UTF-8 -E UTF8 --no-sync > log 2>&1
            run "$bin/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c max_connections=200 \\
                -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c autovacuum=off -c jit=off \\
                -c shared_buffers=32MB >> log 2>&1 < /dev/null &
            for i in $(seq 300); do
                [ -S "$folder/.s.PGSQL.5432" ] && run "$bin/pg_isready" -q -h "$folder" && break
                sleep 0.1
            done
            echo ready
            read line || true
            kill -INT $(head -1 "$folder/data/postmaster.pid") || true
            wait
            rm -rf "$folder"
            """
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", script, "postgres-server", folder, binaries]
        process.standardInput = input
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        // Keep the pipe open until the process ends.
        _ = Unmanaged.passRetained(input)
        guard String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("ready") else {
            return nil
        }
    }

    /// Returns the URL of a new, empty schema.
    ///
    /// One call in 200 creates the next 200 schemas, because starting `psql` takes a hundred times longer than creating a schema.
    package func makeLocation() throws -> String {
        let location = "postgresql://postgres@/postgres?host=\(folder)"
        let number = try schemas.withLock { schemas in
            if schemas.used == schemas.created {
                let next = schemas.created + 1...schemas.created + 200
                try run(next.map { "CREATE SCHEMA guide\($0);" }.joined(), location)
                schemas.created += next.count
            }
            schemas.used += 1
            return schemas.used
        }
        return location + "&options=-csearch_path%3Dguide\(number)"
    }

    private func run(_ sql: String, _ location: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/psql")
        process.arguments = ["-q", "-X", "-v", "ON_ERROR_STOP=1", location, "-c", sql]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw SchemaError(status: process.terminationStatus) }
    }

    /// A folder for files of the tests.
    package var filesFolder: String {
        FileManager.default.temporaryDirectory.appending(path: "epg-postgres-files-\(getpid())").path
    }
}

/// `psql` could not create schemas.
private struct SchemaError: Error {
    let status: Int32
}
