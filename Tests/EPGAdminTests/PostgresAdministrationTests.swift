import EPGModel
import EPGPostgres
import EPGStore
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import EPGAdmin
@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

/// Administration of a guide on PostgreSQL.
@Suite("Administration on PostgreSQL", .serialized, .needs(PostgresServer.requirement))
struct PostgresAdministrationTests {
    private func storage() throws -> PostgresGuide {
        let server = try #require(PostgresServer.shared, "the server did not start")
        let guide = try PostgresGuide(
            server.makeLocation(), backups: .sqlite, connections: GuideServer.concurrentReadings,
            cacheFolder: server.filesFolder)
        try guide.write(waiting: .always) { _ in }
        return guide
    }

    private static let playlist = Array(
        """
        #EXTM3U
        #EXTINF:-1 tvg-id="one.example",One
        http://streams.example/1
        #EXTINF:-1 tvg-id="",Harbour Televison
        http://streams.example/2

        """.utf8)

    private static let listings = ServedGuide.document(
        """
        <channel id="one.example"><display-name>One</display-name></channel>
        <channel id="harbour.example"><display-name>Harbour Television Network</display-name></channel>
        <programme start="20261024180000 +0000" stop="20261024190000 +0000" channel="one.example"><title>T</title></programme>
        <programme start="20261024180000 +0000" stop="20261024190000 +0000" channel="harbour.example"><title>U</title></programme>
        """)

    /// Uploads a file, and adds it.
    private func add(_ bytes: [UInt8], named name: String, _ client: inout AdminClient) async throws {
        let (location, id) = try await client.upload(bytes, named: name).preview()
        let page = try await client.preview(at: location)
        try #require(page.contains("Add it"), "\(page)")
        let accepted = try await client.post("/admin/preview/accept", ["id": id, "name": name])
        expectResponse(accepted, 303)
    }

    @Test func guideIsSetUpInTheBrowser() async throws {
        // The files of the service are beside the database of this guide, which is not served.
        try await AdminServer.run(try ServedGuide(), on: try storage()) { server in
            var client = try await server.loggedIn()
            try await add(Self.listings, named: "evening", &client)
            try await add(Self.playlist, named: "home", &client)
            expectEqual(try server.read { try $0.sources() }.map(\.source.name), ["evening"])
            expectEqual(try server.read { try $0.lineups() }, ["home"])

            let mapped = try await client.post(
                "/admin/matching", ["key": "Harbour Televison", "station": "harbour.example"])
            expectResponse(mapped, 303)
            let matches = try server.read { try $0.lineup(named: "home") }?.matches
            expectEqual(matches?.map { $0?.station.rawValue }, ["one.example", "harbour.example"])

            let changed = try await client.post(
                "/admin/source", ["name": "evening", "zone": "Europe/Paris", "shift": "60"])
            expectResponse(changed, 303)
            let source = try server.read { try $0.sourceRecords() }.first?.source
            expectEqual(source?.timeZone, "Europe/Paris")
            expectEqual(source?.shift, 60)
            expectResponse(try await client.post("/admin/priorities", ["name": "evening"]), 303)

            for route in AdminRoute.all where route.method == .get && route.group == .administration {
                let query = ["/admin/source": "?name=evening", "/admin/lineup": "?name=home"][route.path] ?? ""
                let response = try await client.get(route.path + query)
                expectEqual(response.status, route.path == "/admin/preview" ? 404 : 200, "\(route.path)")
            }
            expectResponse(try await client.get("/xmltv.xml"), contains: ["harbour.example"])

            expectResponse(try await client.post("/admin/lineup/remove", ["name": "home"]), 303)
            expectResponse(try await client.post("/admin/source/remove", ["name": "evening"]), 303)
            #expect(try server.read { try $0.sources() }.isEmpty)
            expectEqual(try server.read { try $0.lineups() }, [])
        }
    }
}
