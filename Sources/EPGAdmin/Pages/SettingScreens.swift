import EPGCalendar
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
        _ controller: AdminController, _ admin: AdminRequest, problems: [Problem] = []
    ) async throws -> Response {
        let settings = try await controller.readSettings(admin)
        let token = admin.session?.formToken ?? ""
        let clock = controller.clock
        let fields = Set(settings.entries.map(\.key) + ["schedule"])
        return controller.page("Settings", admin, status: problems.first?.status ?? .ok) { html in
            for problem in problems { html.alert(problem, exceptOf: fields) }
            html.paragraph("Saved settings take effect without a restart.")
            html.form("/admin/settings", token, class: "a-form") { html in
                for entry in settings.entries {
                    let problem = problems.first {
                        $0.parameter == entry.key || entry.key == "refresh" && $0.parameter == "schedule"
                    }
                    write(entry, admin.form, problem, clock, &html)
                }
                html.button("Save", class: "primary")
            }
        }
    }

    private static func write(
        _ entry: AdministeredSettings.Entry, _ form: Form, _ problem: Problem?, _ clock: AdminClock,
        _ html: inout HTMLWriter
    ) {
        let value = form[entry.key] ?? entry.value
        switch entry.key {
        case "refresh" where !entry.isOverridden:
            let choice = form["schedule"].flatMap(ScheduleChoice.init) ?? ScheduleChoice(of: value)
            html.scheduleFields(
                entry.label, problem == nil ? choice : .custom, custom: value,
                hint: entry.value.flatMap { nextRun(of: $0, clock) }, help: entry.hint, problem: problem)
        case "zone" where !entry.isOverridden:
            html.zoneField(entry.label, value: value, hint: entry.hint, problem: problem, now: clock.now)
        default:
            html.field(
                entry.label, name: entry.key, value: value,
                hint: entry.isOverridden
                    ? "Set by \(entry.place), which takes precedence over this page." : entry.hint,
                problem: problem,
                [.flag("disabled", entry.isOverridden), .text("maxlength", "1000"), .text("autocomplete", "off")])
        }
    }

    /// Returns a sentence with the next time of a schedule; `nil` if there is none.
    private static func nextRun(of expression: String, _ clock: AdminClock) -> String? {
        guard let cron = try? CronExpression(expression) else { return nil }
        return CronSchedule(cron, in: clock.zone).next(after: clock.now).map {
            "The next refresh is due at about \(clock.zone.fullLabel(at: $0))."
        }
    }

    /// Returns the value of a setting in a form; `nil` for the default.
    private static func value(of entry: AdministeredSettings.Entry, in form: Form) throws(Problem) -> String? {
        switch entry.key {
        case "refresh": try ScheduleChoice.expression(in: form, former: entry.value)
        case "zone": try SourceFields.zone(form)
        default: try form.text(entry.key, maximumLength: 1000)
        }
    }

    static func change(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        do {
            let current = try await controller.run(admin) { try admin.operations.settings() }
            var values: [String: String?] = [:]
            var problems: [Problem] = []
            for entry in current.entries where !entry.isOverridden && admin.form[entry.key] != nil {
                do throws(Problem) {
                    let value = try value(of: entry, in: admin.form)
                    guard value != entry.value, value != nil || entry.place != "default" else { continue }
                    values[entry.key] = .some(value)
                    if let reason = admin.operations.problems(ofSettings: [entry.key: value])[entry.key] {
                        throw Problem(.unprocessableContent, reason, parameter: entry.key)
                    }
                } catch {
                    problems.append(error)
                }
            }
            admin.subject.set(values.keys.sorted().joined(separator: ", "))
            guard problems.isEmpty else { return try await settingsPage(controller, admin, problems: problems) }
            guard !values.isEmpty else {
                return controller.redirect(to: "/admin/settings", admin, notice: "Nothing has changed.")
            }
            try await controller.changeSettings(values, admin)
            return controller.redirect(to: "/admin/settings", admin, notice: "Saved.")
        } catch let problem as Problem where problem.status == .unprocessableContent {
            return try await settingsPage(controller, admin, problems: [problem])
        }
    }
}
