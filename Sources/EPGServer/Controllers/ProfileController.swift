import EPGHTTP
import EPGJSON
import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The profiles: settings of pages that browsers share under a name.
///
/// Requests change the settings only. The operator of the service creates profiles, and sets their limits and PINs.
struct ProfileController: Sendable {
    private let service: GuideService
    private let access: AccessControl
    private let logger: Logger
    static let path = "/api/v1/profiles"
    /// The maximum time of a read.
    fileprivate static let longestWait = Duration.seconds(5)
    /// The maximum size of a body with a PIN in bytes.
    private static let maximumPINSize = 1 << 10
    private static let cacheControl = "private, no-cache"

    init(service: GuideService, access: AccessControl, logger: Logger) {
        (self.service, self.access, self.logger) = (service, access, logger)
    }

    func addRoutes(to router: AccessRouter) {
        let router = router[.reading]
        router.onRead(RouterPath(Self.path)) { request, context in
            _ = try service.parameters(of: request, context).finish()
            let profiles = try await service.profiles(for: context.client)
            return response(
                .object { json in
                    json.member("profiles", objects: profiles) { profile, json in
                        json.member("name", profile.name)
                        json.member("isLimited", !profile.limit.allowsEverything)
                    }
                }, to: request)
        }
        router.onRead(RouterPath(Self.path + "/{name}")) { request, context in
            let profile = try await profile(request, context)
            return response(
                Document(json: profile), to: request, headers: [.eTag: Self.tag(of: profile).value])
        }
        router.on(RouterPath(Self.path + "/{name}"), method: .put) { request, context in
            try checkOrigin(of: request)
            let name = try name(request, context)
            guard let condition = request.headers[.ifMatch] else {
                throw Problem(
                    .preconditionRequired,
                    "Send If-Match with the ETag of the profile, so that no change of another device is lost.")
            }
            let document = try await settings(in: request)
            let saved = try await service.change(for: context.client) { guide in
                guard let profile = try guide.profiles().first(where: { $0.name == name }) else {
                    throw Self.unknown(name)
                }
                guard Self.tag(of: profile).isNamedStrongly(in: condition) else {
                    throw Problem(.preconditionFailed, "\(ProfileError.stale)")
                }
                return try guide.saveProfile(profile.with(document: document))
            }
            return Response(
                status: .noContent, headers: [.eTag: Self.tag(of: saved).value, .cacheControl: Self.cacheControl])
        }
        router.on(RouterPath(Self.path + "/{name}/unlock"), method: .post) { request, context in
            try checkOrigin(of: request)
            let profile = try await profile(request, context)
            let body = try await request.jsonObject("PIN", upTo: Self.maximumPINSize)
            guard let pin = body["pin"]?.string, body.members.allSatisfy({ $0.key == "pin" }) else {
                throw Problem.badParameter("pin", "expected an object with the PIN as a string.")
            }
            guard profile.hasPIN(pin) else { throw Problem(.forbidden, "The PIN is wrong.") }
            return Response(status: .noContent, headers: [.cacheControl: Freshness.uncacheable.cacheControl])
        }
    }

    // MARK: - Requests

    private func checkOrigin(of request: Request) throws(Problem) {
        guard access.origin(of: request) != .elsewhere else {
            throw Problem(.forbidden, "Pages of other sites cannot use profiles. \(AccessControl.hostAdvice)")
        }
    }

    private func name(_ request: Request, _ context: ServiceRequestContext) throws(Problem) -> String {
        let parameters = try service.parameters(of: request, context)
        _ = try parameters.finish()
        return parameters.path("name")
    }

    private func settings(in request: Request) async throws -> [UInt8] {
        let object = try await request.jsonObject("profile", upTo: Profile.maximumSize)
        let document: [UInt8]
        do throws(ProfileSettingsError) {
            document = try ProfileSettings(object).document
        } catch {
            throw Problem(.badRequest, "\(error).", parameter: error.member)
        }
        // Escapes can make it longer than the body.
        guard document.count <= Profile.maximumSize else {
            throw Problem(.contentTooLarge, "\(ProfileError.tooLarge)")
        }
        return document
    }

    private func response(_ document: Document, to request: Request, headers: HTTPFields = [:]) -> Response {
        var response = document.response(to: request, headers: headers)
        response.headers[.cacheControl] = Self.cacheControl
        return response
    }

    /// The tag of everything in a profile. The version alone repeats after the profile is added again, and after a restore.
    private static func tag(of profile: Profile) -> EntityTag {
        let limit = profile.limit
        let parts = [
            "\(profile.version)", String(decoding: profile.document, as: UTF8.self), profile.pinHash ?? "",
            "\(profile.acceptsRules)", limit.maximumAge.map { "\($0)" } ?? "",
        ]
        return EntityTag(identifiedBy: (parts + limit.hiddenCategories).joined(separator: "\0"))
    }

    private static func unknown(_ name: String) -> Problem {
        .notFound(
            "There is no profile “\(name.prefix(80))”. The operator of the service adds profiles with epg profile add.")
    }

    // MARK: - Guide

    /// The profile that a request names.
    private func profile(_ request: Request, _ context: ServiceRequestContext) async throws -> Profile {
        let name = try name(request, context)
        guard let profile = try await service.profiles(for: context.client).first(where: { $0.name == name }) else {
            throw Self.unknown(name)
        }
        return profile
    }
}

extension GuideService {
    /// Returns the profiles.
    ///
    /// - Parameter client: The client whose request needs them.
    func profiles(for client: RequestClient) async throws -> [Profile] {
        try await executor[.reads].run(for: client.limitedAddress) { [guide] cancellation in
            let limit = ReadingLimit(ProfileController.longestWait, from: client.arrival) { cancellation.isSet }
            return try guide.read(until: limit) { try $0.profiles() }
        }
    }
}
