import EPGHTTP
import EPGModel
import EPGRender
import EPGServer
import HTTPTypes
import Hummingbird

/// The settings that administrators can change.
enum SettingScreens {
    static func settings(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        try await settingsPage(controller, admin)
    }

    private static func settingsPage(
        _ controller: AdminController, _ admin: AdminRequest, problem: Problem? = nil
    ) async throws -> Response {
        let settings = try await controller.readSettings(admin)
        let token = admin.session?.formToken ?? ""
        return controller.page("Settings", admin, status: problem?.status ?? .ok) { html in
            html.alert(problem?.detail)
            html.paragraph("Saved settings take effect without a restart.")
            html.form("/admin/settings", token, class: "a-form") { html in
                for entry in settings.entries {
                    html.field(
                        entry.label, name: entry.key, value: admin.form[entry.key] ?? entry.value,
                        hint: entry.isOverridden
                            ? "Set by \(entry.place), which takes precedence over this page." : entry.hint,
                        [
                            .flag("disabled", entry.isOverridden), .text("maxlength", "1000"),
                            .text("autocomplete", "off"),
                        ])
                }
                html.button("Save", class: "a-main")
            }
        }
    }

    static func change(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        do {
            let current = try await controller.run(admin) { try admin.operations.settings() }
            var values: [String: String?] = [:]
            for entry in current.entries where !entry.isOverridden && admin.form[entry.key] != nil {
                let value = try admin.form.text(entry.key, maximumLength: 1000)
                if value != entry.value, value != nil || entry.place != "default" { values[entry.key] = .some(value) }
            }
            admin.subject.set(values.keys.sorted().joined(separator: ", "))
            guard !values.isEmpty else {
                return controller.redirect(to: "/admin/settings", admin, notice: "Nothing has changed.")
            }
            try await controller.changeSettings(values, admin)
            return controller.redirect(to: "/admin/settings", admin, notice: "Saved.")
        } catch let problem as Problem where problem.status == .unprocessableContent {
            return try await settingsPage(controller, admin, problem: problem)
        }
    }
}
