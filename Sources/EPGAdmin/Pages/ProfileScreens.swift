import EPGHTTP
import EPGModel
import EPGRender
import EPGServer
import HTTPTypes
import Hummingbird

/// Profiles: their parental limits and PINs, and who may change their watch rules. Pages change their settings.
enum ProfileScreens {
    static func profiles(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        try await profilesPage(controller, admin)
    }

    private static func profilesPage(
        _ controller: AdminController, _ admin: AdminRequest, problem: Problem? = nil
    ) async throws -> Response {
        let profiles = try await controller.read(admin) { try $0.profiles() }
        let token = admin.session?.formToken ?? ""
        // The form that was refused shows what was entered, except for PINs.
        let refused = problem == nil ? nil : admin.form
        let isOfNewProfile = admin.request.uri.path == "/admin/profiles/add"
        return controller.page("Profiles", admin, status: problem?.status ?? .ok) { html in
            html.alert(
                problem,
                exceptOf: isOfNewProfile ? ["age", "categories", "pin", "name"] : ["age", "categories", "pin"])
            html.paragraph(
                "People choose a profile in the settings of the guide. It keeps favorites, hidden stations, zoom and theme for all devices that choose it. A parental limit locks programmes. It keeps children from coming across them; it does not stop anybody who edits URLs."
            )
            for profile in profiles {
                let form = !isOfNewProfile && refused?["name"] == profile.name ? refused : nil
                write(profile, form, form == nil ? nil : problem, token, &html)
            }
            html.heading("Add a profile")
            html.form("/admin/profiles/add", token, class: "a-form") { html in
                let form = isOfNewProfile ? refused : nil
                html.field(
                    "Name", name: "name", value: form?["name"], hint: "The person or the device.",
                    problem: form == nil ? nil : problem,
                    [.flag("required"), .text("maxlength", "200"), .text("autocomplete", "off")])
                writeLimit(.none, form, form == nil ? nil : problem, &html)
                writeRules(isAccepting: form?["rules"] == "1", &html)
                html.button("Add the profile")
            }
        }
    }

    private static func write(
        _ profile: Profile, _ form: Form?, _ problem: Problem?, _ token: String, _ html: inout HTMLWriter
    ) {
        html.heading(profile.name)
        html.form("/admin/profiles", token, class: "a-form") { html in
            html.hidden("name", profile.name)
            writeLimit(
                profile.limit, form, problem,
                pinHint: profile.pinHash == nil ? nil : "Leave it empty to keep the PIN.", &html)
            if profile.pinHash != nil { html.checkbox("Remove the PIN", name: "no-pin") }
            writeRules(isAccepting: form.map { $0["rules"] == "1" } ?? profile.acceptsRules, &html)
            html.button("Save")
        }
        html.form("/admin/profiles/remove", token) { html in
            html.hidden("name", profile.name)
            html.button("Remove “\(profile.name)”", class: "danger")
        }
    }

    /// - Parameter form: The values that were refused; `nil` for the values of the limit.
    private static func writeLimit(
        _ limit: ParentalLimit, _ form: Form?, _ problem: Problem?, pinHint: String? = nil, _ html: inout HTMLWriter
    ) {
        html.field(
            "Maximum age rating", name: "age", type: "number", value: form?["age"] ?? limit.maximumAge.map(String.init),
            hint: "From 0 to 21. Empty for no limit. Programmes without a rating are allowed.", problem: problem,
            [.text("min", "0"), .text("max", "21")])
        html.field(
            "Hidden categories", name: "categories",
            value: form?["categories"] ?? limit.hiddenCategories.joined(separator: "; "),
            hint: "As in the listings, separated by semicolons.", problem: problem,
            [.text("maxlength", "2000"), .text("autocomplete", "off")])
        html.field(
            "PIN", name: "pin", type: "password",
            hint: pinHint ?? "4 to 64 bytes, such as digits, that leaving the profile requires.", problem: problem,
            [.text("autocomplete", "new-password"), .text("maxlength", "64")])
    }

    private static func writeRules(isAccepting: Bool, _ html: inout HTMLWriter) {
        html.checkbox(
            "Everybody who uses the profile may add, change and remove its watch rules", name: "rules",
            isOn: isAccepting)
    }

    /// Returns the limit in a form.
    private static func limit(in form: Form) throws -> ParentalLimit {
        let age = try form.text("age", maximumLength: 10)
        let number = age.flatMap { Int($0) }
        if age != nil, number == nil { throw ProfileError.invalidAge }
        let categories = try form.text("categories", maximumLength: 2000) ?? ""
        return try ParentalLimit(
            maximumAge: number,
            hiddenCategories: categories.split(separator: ";").map { String($0).trimmingBlanks }.filter { !$0.isEmpty })
    }

    /// Runs a change, and shows the page with a message if the form is invalid.
    private static func change(
        _ controller: AdminController, _ admin: AdminRequest, notice: String, _ body: () async throws -> Void
    ) async throws -> Response {
        do {
            try await body()
        } catch let error as ProfileError {
            return try await profilesPage(
                controller, admin, problem: Problem(.unprocessableContent, "\(error)", parameter: error.field))
        } catch let problem as Problem where problem.status == .unprocessableContent {
            return try await profilesPage(controller, admin, problem: problem)
        }
        return controller.redirect(to: "/admin/profiles", admin, notice: notice)
    }

    static func add(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let name = admin.form["name"]?.trimmingBlanks ?? ""
        admin.subject.set(name)
        return try await change(controller, admin, notice: "Added “\(name)”.") {
            let profile = try Profile(
                name: name, limit: limit(in: admin.form), pinHash: pinHash(admin),
                acceptsRules: admin.form["rules"] == "1")
            try await controller.write(admin) { guide in
                guard try !guide.profiles().contains(where: { $0.name == name }) else {
                    throw Problem(
                        .unprocessableContent, "There is already a profile “\(name.prefix(80))”.", parameter: "name")
                }
                _ = try guide.saveProfile(profile)
            }
        }
    }

    static func set(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let name = admin.form["name"] ?? ""
        admin.subject.set(name)
        return try await change(controller, admin, notice: "Saved “\(name)”.") {
            let limit = try limit(in: admin.form)
            let pin = try pinHash(admin)
            try await controller.write(admin) { guide in
                guard let profile = try guide.profiles().first(where: { $0.name == name }) else {
                    throw Problem(.unprocessableContent, "There is no profile “\(name.prefix(80))”.")
                }
                let kept = admin.form["no-pin"] == "1" ? nil : profile.pinHash
                _ = try guide.saveProfile(
                    profile.with(
                        limit: limit, pinHash: pin ?? kept, acceptsRules: admin.form["rules"] == "1"))
            }
        }
    }

    static func remove(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let name = admin.form["name"] ?? ""
        admin.subject.set(name)
        let isRemoved = try await controller.write(admin) { try $0.removeProfile(named: name) }
        return controller.redirect(
            to: "/admin/profiles", admin,
            notice: isRemoved ? "Removed “\(name)”. Its watch rules stay." : "There is no profile “\(name)”.",
            isError: !isRemoved)
    }

    private static func pinHash(_ admin: AdminRequest) throws(ProfileError) -> String? {
        guard let pin = admin.form["pin"], !pin.isEmpty else { return nil }
        return try Profile.hash(ofPIN: pin)
    }
}

extension ProfileError {
    /// The field of the form that is invalid; `nil` for none.
    fileprivate var field: String? {
        switch self {
        case .invalidName: "name"
        case .invalidAge: "age"
        case .invalidCategory, .tooManyCategories: "categories"
        case .invalidPIN: "pin"
        case .tooLarge, .tooMany, .stale: nil
        }
    }
}
