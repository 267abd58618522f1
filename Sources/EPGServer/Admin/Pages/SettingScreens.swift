import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird

/// The settings in `epg.yml` that administrators can change.
enum SettingScreens {
    static func settings(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        try await settingsPage(controller, admin)
    }

    /// The label of a setting, and a hint.
    private static func texts(of key: String) -> (label: String, hint: String)? {
        switch key {
        case "refresh":
            (
                "Refresh schedule",
                "Minute, hour, day of the month, month, day of the week: “30 3 * * *” is 3:30 every night; or @hourly, @daily, @weekly. Blank for none. Takes effect at once."
            )
        case "retention":
            ("Days to keep airings after their end", "From 0 to 3660. Takes effect at the next refresh.")
        case "zone":
            (
                "Time zone",
                "Such as Europe/London. Blank for that of the system. Takes effect when the service restarts."
            )
        default: nil
        }
    }

    private static func settingsPage(
        _ controller: AdminController, _ admin: AdminRequest, problem: Problem? = nil
    ) async throws -> Response {
        let settings = try await controller.readSettings(admin)
        let token = admin.session?.formToken ?? ""
        return controller.page("Settings", admin, status: problem?.status ?? .ok) { html in
            html.alert(problem?.detail)
            let path = settings.path ?? "epg.yml"
            html.paragraph(
                settings.isReadOnly
                    ? "These settings are in \(path), which the service has no permission to change. Change them there with an editor."
                    : "These settings are in \(path). Saving changes only their values; everything else in the file stays as it is, with its comments."
            )
            html.form("/admin/settings", token, class: "a-form") { html in
                for entry in settings.entries {
                    let (label, hint) = texts(of: entry.key) ?? (entry.key, entry.allowed)
                    let value = admin.form[entry.key] ?? entry.value
                    html.field(
                        label, name: entry.key, value: value,
                        hint: entry.isOverridden
                            ? "Set by \(entry.place), which takes precedence over the file." : hint,
                        [
                            .flag("disabled", entry.isOverridden || settings.isReadOnly), .text("maxlength", "200"),
                            .text("autocomplete", "off"),
                        ])
                }
                if !settings.isReadOnly { html.button("Save", class: "a-main") }
            }
        }
    }

    static func change(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        do {
            let current = try await controller.run(admin) { try admin.operations.settings() }
            var values: [String: String?] = [:]
            for entry in current.entries where !entry.isOverridden && admin.form[entry.key] != nil {
                let value = try admin.form.text(entry.key)
                if value != entry.value, value != nil || entry.place != "default" { values[entry.key] = .some(value) }
            }
            admin.subject.set(values.keys.sorted().joined(separator: ", "))
            guard !values.isEmpty else {
                return controller.redirect(to: "/admin/settings", admin, notice: "Nothing has changed.")
            }
            try await controller.run(admin) { [values] in try admin.operations.changeSettings(values) }
            return controller.redirect(to: "/admin/settings", admin, notice: "Saved.")
        } catch let problem as Problem where problem.status == .unprocessableContent {
            return try await settingsPage(controller, admin, problem: problem)
        }
    }
}
