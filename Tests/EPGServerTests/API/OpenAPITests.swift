import EPGCalendar
import EPGRender
import Foundation
import NIOCore
import Testing
import Yams

@testable import EPGServer

/// The description of the API against the routes of the service.
@Suite struct OpenAPITests {
    private let document: [String: Any]

    init() throws {
        let text = String(decoding: OpenAPIEndpoint.bytes.readableBytesView, as: UTF8.self)
        document = try #require(try Yams.load(yaml: text) as? [String: Any])
    }

    /// Addresses that are answered elsewhere than by a route: feeds and streams of their own kind, and those of operation.
    private static let otherPaths: Set<String> = [
        "/api/v1/changes", "/api/v1/events", "/api/v1/import", "/xmltv.xml", "/xmltv.xml.gz", "/guide.json",
        "/playlist.m3u", "/stations/{id}.ics", "/grid.svg", "/healthz", "/readyz", "/metrics",
    ]

    private var paths: [String: [String: Any]] { document["paths"] as? [String: [String: Any]] ?? [:] }

    @Test func everyRouteStandsInTheDocumentAndTheOtherWayRound() {
        let described = Set(paths.keys)
        let api = Set((Route.api + Route.feeds).map(\.path))
        #expect(api.subtracting(described).isEmpty)
        #expect(described.subtracting(Set(Route.all.map(\.path))).subtracting(Self.otherPaths).isEmpty)
        // Whatever lies under /api is described, wherever the route is listed.
        #expect(Set(Route.all.map(\.path)).filter { $0.hasPrefix("/api/") }.subtracting(described).isEmpty)
    }

    @Test func theDocumentIsTheFileThatIsEmbedded() async throws {
        let file = try Data(contentsOf: APIGuide.root.appending(path: "Sources/CPage/Assets/openapi.yaml"))
        let reply = await (try SharedGuides.sample.get()).get("/openapi.yaml")
        #expect(Data(reply.bytes) == file)
        #expect(document["openapi"] as? String == "3.1.0")
    }

    @Test func everyReferenceLeadsSomewhere() throws {
        var missing: [String] = []
        func walk(_ value: Any) {
            if let object = value as? [String: Any] {
                if let reference = object["$ref"] as? String, resolve(reference) == nil { missing.append(reference) }
                object.values.forEach(walk)
            } else if let list = value as? [Any] {
                list.forEach(walk)
            }
        }
        walk(document)
        #expect(missing.isEmpty)
    }

    private func resolve(_ reference: String) -> Any? {
        var value: Any? = document
        for part in reference.dropFirst(2).split(separator: "/") { value = (value as? [String: Any])?[String(part)] }
        return value
    }

    private func resolved(_ value: Any?) -> [String: Any] {
        guard let object = value as? [String: Any] else { return [:] }
        guard let reference = object["$ref"] as? String else { return object }
        return resolved(resolve(reference))
    }

    @Test(arguments: Route.api.map(\.path))
    func everyParameterThatIsDescribedIsTaken(path: String) throws {
        let route = try #require(Route.api.first { $0.path == path })
        let operation = try #require(paths[path]?["get"] as? [String: Any])
        let parameters = (operation["parameters"] as? [Any] ?? []).map(resolved)
        let required = parameters.filter { $0["required"] as? Bool == true && $0["in"] as? String == "query" }
        for parameter in parameters where parameter["in"] as? String == "query" {
            let name = try #require(parameter["name"] as? String)
            var query = [name: try #require(example(parameter), "\(name) has no example")]
            for other in required { query[other["name"] as? String ?? ""] = example(other) }
            do {
                try read(route, query)
            } catch {
                // Some want a company, such as `to`; but each must be known.
                #expect(!error.detail.contains("takes no such parameter"), "\(path) \(query)")
            }
        }
        // Each path's braces are described.
        #expect(parameters.filter { $0["in"] as? String == "path" }.count == path.count { $0 == "{" })
        // And what isn't described isn't taken.
        #expect(throws: Problem.self) { try read(route, ["bogus": "1"]) }
    }

    /// A value that the schema allows.
    private func example(_ parameter: [String: Any]) -> String? {
        let schema = resolved(parameter["schema"])
        let choices =
            [(schema["enum"] as? [Any])?.last, (schema["examples"] as? [Any])?.last, schema["maximum"]]
            .compactMap { $0 }
        if let choice = choices.first { return "\(choice)" }
        return schema["type"] as? String == "string" ? "text" : nil
    }

    private func read(_ route: Route, _ query: [String: String]) throws(Problem) {
        let text = query.map { $0.key + "=" + $0.value.percentEncoded }.joined(separator: "&")
        var reader = try RequestReader(
            query: text, captures: ["id": "1"], clock: APIGuide.now, defaultZone: .utc, host: nil)
        _ = try route.question(&reader)
    }
}
