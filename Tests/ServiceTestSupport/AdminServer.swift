import EPGCalendar
import EPGConfig
import EPGImport
import EPGModel
import EPGStore
import Foundation
import Logging
import Testing

@testable import EPGAccess
@testable import epgd
@testable import EPGHTTP
@testable import EPGServer

/// A running service with administration, whose operations are the program's.
struct AdminServer: Sendable {
    static let password = "correct horse battery"
    static let readerPassword = "staple and a half"

    let port: Int
    let guide: ServedGuide
    let access: AccessStore
    let requests: RefreshQueue
    let operations: ServiceAdministration
    let storage: any GuideStorage

    /// The settings file of the service.
    var settingsPath: String { guide.folder + "/epg.yml" }

    /// Starts the service with a password for administrators, and one for readers.
    ///
    /// - Parameters:
    ///   - given: Another storage than the database of the guide.
    ///   - tokens: The tokens that the service accepts, by their text.
    ///   - startToken: The token of a one-time link; then there are no passwords.
    ///   - settings: The text of the settings file; `nil` without one.
    ///   - limits: The limits of imports, but not of previews.
    ///   - followsZone: Whether the service has the time zone of the settings instead of UTC.
    static func run<Outcome: Sendable>(
        _ guide: ServedGuide, on given: (any GuideStorage)? = nil, tokens: [String: Set<AccessScope>] = [:],
        startToken: String? = nil,
        requiresLogin: Bool = false, settings text: String? = nil, limits: ImportLimits = ImportLimits(),
        followsZone: Bool = false, log: LogLines? = nil, change: (inout ServerSettings) -> Void = { _ in },
        _ body: @Sendable (AdminServer) async throws -> Outcome
    ) async throws -> Outcome {
        let access = AccessStore(besideGuide: guide.path)
        if startToken == nil {
            let hashes = Hashes.all
            try access.change { records in
                records.administrator = hashes.administrator
                records.reader = hashes.reader
            }
        }
        try access.add(tokens)
        let path = guide.folder + "/epg.yml"
        if let text { try Data(text.utf8).write(to: URL(filePath: path)) }
        let requests = RefreshQueue()
        let storage: any GuideStorage = given ?? GuideDatabase(path: guide.path, connections: 1)
        let flags = ["database": [guide.path]]
        let reader = ConfigurationReader(environment: ["HOME": guide.folder])
        let settings: @Sendable () throws -> ServiceConfiguration = {
            try reader.read(file: text == nil ? nil : path, flags: flags, guide: storage).configuration
        }
        let current = try CurrentSettings(
            (try? settings()) ?? ServiceConfiguration(), databasePath: storage.location, readConfiguration: settings)
        let operations = ServiceAdministration(
            reader: reader, file: text == nil ? nil : path, flags: flags, guide: storage, access: access,
            current: current,
            refreshes: requests, limits: ImportLimits(), spool: guide.folder, now: { RunningServer.now })
        var accessSettings = AccessSettings(access)
        accessSettings.startToken = startToken
        accessSettings.requiresLogin = requiresLogin
        return try await RunningServer.run(
            guide, on: given, administration: operations,
            change: { settings in
                settings.access = accessSettings
                if followsZone { settings.zone = { current.values.zone } }
                settings.settingsChanged = { (try? current.read()) != nil }
                change(&settings)
            }, limits: limits, log: log
        ) {
            try await body(
                AdminServer(
                    port: $0.port, guide: guide, access: access, requests: requests, operations: operations,
                    storage: storage))
        }
    }

    /// Hashing takes a while, so that all tests share the hashes.
    private struct Hashes: Sendable {
        let administrator: PasswordHash
        let reader: PasswordHash

        static let all: Hashes = {
            guard let administrator = try? PasswordHash(of: password),
                let reader = try? PasswordHash(of: readerPassword)
            else { preconditionFailure("libcrypt is missing") }
            return Hashes(administrator: administrator, reader: reader)
        }()
    }

    var client: AdminClient { AdminClient(port: port) }

    /// Returns a client with a session.
    func loggedIn(_ password: String = AdminServer.password) async throws -> AdminClient {
        var client = client
        let response = try await client.post("/login", ["password": password])
        try #require(response.status == 303, "\(response.text)")
        try await client.readFormToken()
        return client
    }

    func read<Value>(_ body: (any GuideReading) throws -> Value) throws -> Value {
        try storage.read(body)
    }
}

/// A browser without scripts, which keeps the cookie of the session.
struct AdminClient: Sendable {
    let port: Int
    /// `name=value`.
    var cookie: String?
    /// The token of forms.
    var formToken = ""

    private var cookieHeaders: [String] { cookie.map { ["Cookie: \($0)"] } ?? [] }

    mutating func get(_ path: String, headers: [String] = ["Accept: text/html"]) async throws -> RawResponse {
        let response = try await RawClient.get(path, port: port, headers: cookieHeaders + headers)
        keepCookie(of: response)
        return response
    }

    /// Sends a form of a page of the service.
    mutating func post(
        _ path: String, _ fields: KeyValuePairs<String, String>, headers: [String]? = nil
    ) async throws -> RawResponse {
        let all = fields.map { ($0.key, $0.value) } + [("form-token", formToken)]
        let body = all.map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }.joined(separator: "&")
        let headers = headers ?? ["Sec-Fetch-Site: same-origin"]
        let response = try await RawClient.request(
            "POST", path, port: port,
            headers: cookieHeaders + headers + [
                "Content-Type: application/x-www-form-urlencoded", "Accept: text/html",
            ],
            body: Array(body.utf8))
        keepCookie(of: response)
        return response
    }

    /// Sends a form with a file.
    func upload(
        _ bytes: [UInt8], named name: String, path: String = "/admin/add/file", tokenFirst: Bool = true
    ) async throws -> RawResponse {
        let boundary = "----boundary\(UUID().uuidString)"
        let field = "--\(boundary)\r\nContent-Disposition: form-data; name=\"form-token\"\r\n\r\n\(formToken)\r\n"
        let file =
            Array(
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\nContent-Type: application/octet-stream\r\n\r\n"
                    .utf8) + bytes + Array("\r\n".utf8)
        let body =
            (tokenFirst ? Array(field.utf8) + file : file + Array(field.utf8)) + Array("--\(boundary)--\r\n".utf8)
        return try await RawClient.request(
            "POST", path, port: port,
            headers: cookieHeaders + [
                "Sec-Fetch-Site: same-origin", "Accept: text/html",
                "Content-Type: multipart/form-data; boundary=\(boundary)",
            ], body: body)
    }

    /// Reads the token of forms from a page.
    mutating func readFormToken() async throws {
        let page = try await get("/admin/add").text
        formToken = String(page.firstMatch(of: /name="form-token" value="([0-9a-f]{64})"/)?.1 ?? "")
    }

    /// Waits until a preview is read, and returns its page.
    mutating func preview(at path: String) async throws -> String {
        let end = ContinuousClock.now + .seconds(120)
        while true {
            let page = try await get(path).text
            if !page.contains("data-poll") || ContinuousClock.now > end { return page }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Accepts a preview of an uploaded guide, and waits until it is imported.
    mutating func accept(
        previewAt path: String, _ fields: KeyValuePairs<String, String>
    ) async throws -> RawResponse {
        let response = try await post("/admin/preview/accept", fields)
        guard response.status == 303, response["location"] == path else { return response }
        _ = try await preview(at: path)
        return try await get(path)
    }

    private mutating func keepCookie(of response: RawResponse) {
        guard let header = response["set-cookie"], let pair = header.split(separator: ";").first else { return }
        cookie = pair.hasSuffix("=") ? nil : String(pair)
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

extension RawResponse {
    /// The path and the identifier of the preview to which the response leads.
    func preview() throws -> (location: String, id: String) {
        let location = try #require(self["location"], "\(status): \(text)")
        return (location, String(location.split(separator: "=").last ?? ""))
    }
}

extension AccessRecords {
    /// Creates records of tokens with chosen texts, by the text.
    init(tokens: [String: Set<AccessScope>]) {
        self.init()
        self.tokens = tokens.enumerated().map { number, token in
            AccessToken(
                name: "token \(number)", scopes: token.value, created: RunningServer.now, used: nil,
                digest: SHA256.hexadecimal(of: token.key))
        }
    }
}

extension AccessStore {
    /// Adds tokens with chosen texts, by the text.
    func add(_ tokens: [String: Set<AccessScope>]) throws {
        try change { $0.tokens += AccessRecords(tokens: tokens).tokens }
    }
}
