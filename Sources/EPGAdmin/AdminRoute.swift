import EPGHTTP
import EPGModel
import EPGServer
import HTTPTypes
import Hummingbird

/// A route of the log-in or of administration.
///
/// The table is the only place that adds such routes. A route that changes anything has the method POST; ``AdminController``
/// then requires a page of this service as the origin, and, if the route is not for everybody, the token of the session's forms.
struct AdminRoute: Sendable {
    enum Body: Hashable, Sendable {
        case form
        /// A form with a file.
        case upload
    }

    typealias Respond = @Sendable (AdminController, AdminRequest) async throws -> Response

    let method: HTTPRequest.Method
    let path: String
    let group: AccessGroup
    let body: Body
    let respond: Respond

    private static func get(
        _ path: String, for group: AccessGroup = .administration, _ respond: @escaping Respond
    ) -> AdminRoute {
        AdminRoute(method: .get, path: path, group: group, body: .form, respond: respond)
    }

    private static func post(
        _ path: String, for group: AccessGroup = .administration, body: Body = .form, _ respond: @escaping Respond
    ) -> AdminRoute {
        AdminRoute(method: .post, path: path, group: group, body: body, respond: respond)
    }

    /// Returns whether a path, in any form that the router accepts, is one of these routes or below one.
    static func owns(_ path: String) -> Bool {
        guard let first = path.split(separator: "/").first else { return false }
        return roots.contains(String(percentDecoding: first.utf8, decodesPlus: false) ?? "")
    }

    /// The first components of all paths.
    private static let roots = Set(all.compactMap { $0.path.split(separator: "/").first.map(String.init) })

    static let all: [AdminRoute] = [
        get("/login", for: .everybody, AccessScreens.login),
        post("/login", for: .everybody, AccessScreens.logIn),
        post("/logout", for: .session, AccessScreens.logOut),
        get("/admin/start", for: .everybody, AccessScreens.start),
        post("/admin/start", for: .everybody, AccessScreens.setFirstPassword),
        get("/admin/access", AccessScreens.access),
        post("/admin/access/password", AccessScreens.changePassword),
        post("/admin/access/token", AccessScreens.addToken),
        post("/admin/access/token/revoke", AccessScreens.revokeToken),

        get("/admin", SourceScreens.overview),
        get("/admin/source", SourceScreens.source),
        post("/admin/source", SourceScreens.change),
        post("/admin/source/remove", SourceScreens.remove),
        post("/admin/priorities", SourceScreens.setPriorities),
        get("/admin/changes", SourceScreens.changes),

        get("/admin/add", PreviewScreens.add),
        post("/admin/add/url", PreviewScreens.previewURL),
        post("/admin/add/account", PreviewScreens.previewAccount),
        post("/admin/add/file", body: .upload, PreviewScreens.previewFile),
        get("/admin/preview", PreviewScreens.preview),
        post("/admin/preview/accept", PreviewScreens.accept),
        post("/admin/preview/discard", PreviewScreens.discard),
        post("/admin/preview/retry", PreviewScreens.retry),

        get("/admin/refresh", RefreshScreens.refresh),
        post("/admin/refresh", RefreshScreens.start),
        post("/admin/refresh/cancel", RefreshScreens.cancel),

        get("/admin/matching", MatchingScreens.matching),
        post("/admin/matching", MatchingScreens.map),
        get("/admin/matching/accept", MatchingScreens.review),
        post("/admin/matching/accept", MatchingScreens.accept),
        post("/admin/matching/selected", MatchingScreens.changeSelected),
        post("/admin/undo", AdminChange.undo),

        get("/admin/lineups", LineupScreens.lineups),
        get("/admin/lineup", LineupScreens.lineup),
        post("/admin/lineup", LineupScreens.change),
        post("/admin/lineup/remove", LineupScreens.remove),

        get("/admin/profiles", ProfileScreens.profiles),
        post("/admin/profiles", ProfileScreens.set),
        post("/admin/profiles/add", ProfileScreens.add),
        post("/admin/profiles/remove", ProfileScreens.remove),

        get("/admin/settings", SettingScreens.settings),
        post("/admin/settings", SettingScreens.change),
    ]
}
