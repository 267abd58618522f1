import ArgumentParser
import EPGCalendar
import EPGModel
import EPGServer
import EPGStore
import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// `epgd`: serves the guide over HTTP.
@main
struct EPGDaemon: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "epgd", abstract: "Serves the guide over HTTP.")

    @Option(help: ArgumentHelp("The guide's database.", valueName: "file"))
    var database: String

    @Option(help: ArgumentHelp("The port to listen on; 0 for any.", valueName: "number"))
    var port = 8080

    func run() async throws {
        let logger = Logger(label: "epgd")
        var settings = ServerSettings(site: Site(zone: .current))
        settings.address = .port(port, host: "127.0.0.1")
        let server = try GuideServer(
            try GuideReaderPool(path: database), importer: StoreImporter(path: database), settings: settings,
            logger: logger,
            now: { Instant(secondsSince1970: Int64(time(nil))) },
            onRunning: { print("listening on port \($0.port ?? 0)") })
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }
}
