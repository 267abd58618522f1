import EPGCalendar
import EPGImport
import EPGModel
import EPGStore
import Foundation
import HTTPTypes
import Logging
import NIOCore
import TestSupport
import Testing
import Yams

@testable import EPGHTTP
@testable import EPGServer

/// Tests of the OpenAPI document against the routes of the service.
@Suite struct OpenAPITests {
    private let document: [String: Any]

    /// The parsed document, which nothing changes.
    private nonisolated(unsafe) static let loaded = Result {
        try Yams.load(yaml: String(decoding: OpenAPIEndpoint.bytes.readableBytesView, as: UTF8.self))
    }

    init() throws { document = try #require(try Self.loaded.get() as? [String: Any]) }

    /// The endpoints in the document.
    private static let endpoints: [any Endpoint.Type] =
        GridController.endpoints + StationController.endpoints + AiringController.endpoints + GuideController.endpoints
        + FeedController.endpoints + WatchController.endpoints

    private var paths: [String: [String: Any]] { document["paths"] as? [String: [String: Any]] ?? [:] }

    @Test func describedPathsAndMethodsMatchTheRouter() throws {
        let server = try GuideServer(
            GuideDatabase(path: SharedGuides.sample.get().path), settings: ServerSettings(site: Site(zone: .utc)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { APIGuide.now })
        let pages = Set(PageController.endpoints.map { $0.path })
        expectEqual(Set(server.routes.keys).subtracting(paths.keys), pages)
        for (path, item) in paths {
            let described = Set(item.keys.compactMap { HTTPRequest.Method($0.uppercased()) })
            let routed = try #require(server.routes[path], "\(path) is not routed")
            expectEqual(described, routed.subtracting([.head, .options]), "\(path)")
        }
    }

    @Test func servedDocumentIsTheEmbeddedFile() async throws {
        let file = try Data(contentsOf: PackageFiles.root.appending(path: "Sources/C/Page/Assets/openapi.yaml"))
        let response = await (try SharedGuides.sample.get()).get("/openapi.yaml")
        expectEqual(Data(response.bytes), file)
        expectEqual(document["openapi"] as? String, "3.1.0")
    }

    @Test func referencesResolve() throws {
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
        expectEqual(missing, [])
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

    @Test(arguments: endpoints.map { $0.path })
    func describedParametersAreSupported(path: String) throws {
        let endpoint = try #require(Self.endpoints.first { $0.path == path })
        let operation = try #require(paths[path]?["get"] as? [String: Any])
        let parameters = (operation["parameters"] as? [Any] ?? []).map(resolved)
        let required = parameters.filter { $0["required"] as? Bool == true && $0["in"] as? String == "query" }
        for parameter in parameters where parameter["in"] as? String == "query" {
            let name = try #require(parameter["name"] as? String)
            var query = [name: try #require(example(parameter), "\(name) has no example")]
            for other in required { query[other["name"] as? String ?? ""] = example(other) }
            do {
                try read(endpoint, query)
            } catch {
                // Some parameters require another parameter, such as `to`, but every parameter is supported.
                expectText(error.detail, lacks: ["does not support the parameter"], "\(path) \(query)")
            }
        }
        expectEqual(parameters.filter { $0["in"] as? String == "path" }.count, path.count { $0 == "{" })
        #expect(throws: Problem.self) { try read(endpoint, ["bogus": "1"]) }
    }

    /// Generated clients do not send what the document forbids, and send what it allows.
    @Test func textsHaveTheDescribedLimits() throws {
        var readers: [(path: String, method: String, read: (inout ParameterReader) throws -> Void)] = [
            ("/xmltv.xml", "get", { _ = try FeedQuery(.xmltv, &$0, site: Site(zone: .utc)) }),
            (
                "/api/v1/import", "post",
                {
                    _ = try ImportRequest(&$0, now: APIGuide.now)
                    _ = try $0.finish()
                }
            ),
        ]
        for endpoint in Self.endpoints { readers.append((endpoint.path, "get", { try self.check(endpoint, &$0) })) }
        var checked: Set<String> = []
        for (path, method, read) in readers {
            let operation = Loose(paths[path]?[method])
            let parameters = (operation["parameters"].value as? [Any] ?? []).map(resolved)
            let required = parameters.filter { $0["required"] as? Bool == true && $0["in"] as? String == "query" }
            for parameter in parameters where parameter["in"] as? String == "query" {
                let (name, schema) = (parameter["name"] as? String ?? "", resolved(parameter["schema"]))
                func isAllowed(_ value: String) -> Bool {
                    guard let pattern = schema["pattern"] as? String else { return true }
                    return (try? Regex(pattern).firstMatch(in: value)) != nil
                }
                func problem(_ value: String) -> String? {
                    var query = [name: value]
                    for other in required where other["name"] as? String != name {
                        query[other["name"] as? String ?? ""] = example(other)
                    }
                    let text = query.map { $0.key + "=" + $0.value.percentEncoded }.joined(separator: "&")
                    do {
                        var reader = try ParameterReader(
                            query: text, path: ["id": "1", "date": "2026-10-24"], clock: APIGuide.now, defaultZone: .utc
                        )
                        try read(&reader)
                        return nil
                    } catch {
                        return (error as? Problem)?.detail ?? "\(error)"
                    }
                }
                if !isAllowed("") {
                    expectNotEqual(problem(""), nil, "\(path) \(name), empty")
                    checked.insert("empty \(name)")
                }
                guard let limit = schema["maxLength"] as? Int else { continue }
                let (longest, longer) = (String(repeating: "x", count: limit), String(repeating: "x", count: limit + 1))
                guard isAllowed(longest) else { continue }
                expectText(problem(longest) ?? "", lacks: ["the maximum is"], "\(path) \(name)")
                expectNotEqual(problem(longer), nil, "\(path) \(name)")
                checked.insert("length \(name)")
            }
        }
        let expected: Set = ["empty generation", "length q", "length stations", "length lineup", "length source"]
        expectEqual(expected.subtracting(checked), [])
    }

    @Test func responsesHaveTheDescribedMembers() async throws {
        let guide = try SharedGuides.sample.get()
        let id = try #require(
            try await guide.get("/api/v1/now?rows=0&at=2026-10-24T18:00:00Z").json["stations"][0]["now"][0]["id"]
                .integer)
        let targets = [
            "/api/v1/now": "/api/v1/now", "/api/v1/next": "/api/v1/next", "/api/v1/stations": "/api/v1/stations",
            "/api/v1/stations/{id}": "/api/v1/stations/lantern.example",
            "/api/v1/stations/{id}/schedule": "/api/v1/stations/lantern.example/schedule",
            "/api/v1/stations/{id}/days/{date}": "/api/v1/stations/lantern.example/days/2026-10-24",
            "/api/v1/versions": "/api/v1/versions", "/api/v1/airings/{id}": "/api/v1/airings/\(id)",
            "/api/v1/search": "/api/v1/search?q=news", "/api/v1/groups": "/api/v1/groups",
            "/api/v1/duplicates": "/api/v1/duplicates",
            "/api/v1/rows": "/api/v1/rows?from=2026-10-24T18:00:00Z&to=2026-10-25T18:00:00Z&genre=news&new=1",
            "/api/v1/lineups": "/api/v1/lineups", "/api/v1/categories": "/api/v1/categories",
            "/api/v1/sources": "/api/v1/sources", "/api/v1/watch": "/api/v1/watch", "/api/v1/marks": "/api/v1/marks",
            "/api/v1/watch-preview": "/api/v1/watch-preview?title=news",
            "/api/v1/changes": "/api/v1/changes?since=0",
        ]
        for (path, target) in targets {
            let response = await guide.get(target)
            let ok = Loose(paths[path]?["get"])["responses"]["200"]
            let schema = Loose(resolved(ok["content"]["application/json"]["schema"].value))
            let members = try response.json.keys
            expectEqual(members.subtracting(schema["properties"].keys), [], path)
            expectEqual(Set(schema["required"].texts).subtracting(members), [], path)
            for name in ok["headers"].keys {
                let field = try #require(HTTPField.Name(name))
                expectNotEqual(response.headers[field], nil, "\(path) \(name)")
            }
        }
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

    private func read(_ endpoint: any Endpoint.Type, _ query: [String: String]) throws(Problem) {
        let text = query.map { $0.key + "=" + $0.value.percentEncoded }.joined(separator: "&")
        var parameters = try ParameterReader(
            query: text, path: ["id": "1", "date": "2026-10-24"], clock: APIGuide.now, defaultZone: .utc)
        try check(endpoint, &parameters)
    }

    private func check<Resource: Endpoint>(
        _ endpoint: Resource.Type, _ parameters: inout ParameterReader
    ) throws(Problem) {
        _ = try CanonicalQuery(Resource.self, &parameters)
    }
}
