import HTTPTypes
import Hummingbird

/// A route of the log-in or of administration.
///
/// The table is the only place that adds such routes. A route that changes anything has the method POST; ``AdminController``
/// then requires a session, the token of its forms, and a page of this service as the origin, unless its access is
/// ``Access/anyone``.
struct AdminRoute: Sendable {
    enum Access: Hashable, Sendable {
        /// The log-in itself. The origin is checked all the same.
        case anyone
        /// A session of any role.
        case session
        case administrator
    }

    enum Body: Hashable, Sendable {
        case form
        /// A form with a file.
        case upload
    }

    typealias Respond = @Sendable (AdminController, AdminRequest) async throws -> Response

    let method: HTTPRequest.Method
    let path: String
    let access: Access
    let body: Body
    let respond: Respond

    private static func get(
        _ path: String, for access: Access = .administrator, _ respond: @escaping Respond
    ) -> AdminRoute {
        AdminRoute(method: .get, path: path, access: access, body: .form, respond: respond)
    }

    private static func post(
        _ path: String, for access: Access = .administrator, body: Body = .form, _ respond: @escaping Respond
    ) -> AdminRoute {
        AdminRoute(method: .post, path: path, access: access, body: body, respond: respond)
    }

    /// The paths of all routes.
    static let paths = Set(all.map(\.path))

    static let all: [AdminRoute] = [
        get("/login", for: .anyone, AccessScreens.login),
        post("/login", for: .anyone, AccessScreens.logIn),
        post("/logout", for: .session, AccessScreens.logOut),
        get("/admin/start", for: .anyone, AccessScreens.start),
        post("/admin/start", for: .anyone, AccessScreens.setFirstPassword),
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
        post("/admin/matching/undo", MatchingScreens.undo),

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
