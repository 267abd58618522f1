import EPGCalendar
import EPGHTTP
import EPGModel
import EPGRender
import EPGServer
import HTTPTypes
import Hummingbird

/// Refreshing the sources, with progress.
enum RefreshScreens {
    static func refresh(_ controller: AdminController, _ admin: AdminRequest) -> Response {
        let state = admin.operations.refreshState
        let clock = controller.clock
        let token = admin.session?.formToken ?? ""
        let isActive = state.isRunning || state.isRequested
        return controller.page("Refresh", admin, isProgressing: isActive) { html in
            html.element(
                "div", [.id("progress"), .text("role", "status"), .text("data-poll", isActive ? "1" : nil)]
            ) { write(state, clock, &$0) }
            html.element("div", [.class("a-buttons")]) { html in
                if isActive {
                    html.form("/admin/refresh/cancel", token) { $0.button("Interrupt") }
                } else {
                    html.form("/admin/refresh", token) { $0.button("Refresh all that are due", class: "primary") }
                }
                html.link("Overview", to: "/admin")
            }
        }
    }

    private static func write(_ state: RefreshState, _ clock: AdminClock, _ html: inout HTMLWriter) {
        let summary: String =
            if state.isRunning {
                "A refresh is running" + (state.began.map { ", since \(clock.zone.timeLabel(at: $0))" } ?? "") + "."
            } else if state.isRequested {
                "A refresh begins in a moment."
            } else if let ended = state.ended {
                "The last refresh ended \(clock.text(ended))."
            } else {
                "No refresh has run since the service started."
            }
        html.paragraph(summary)
        if !state.isRunning, let failure = state.failure { html.alert(failure) }
        if !state.isRunning, !state.isRequested, !state.steps.isEmpty,
            state.steps.allSatisfy({ $0.kind == .notDue })
        {
            html.paragraph("No download was due. To download a source now, open its page and choose “Refresh now”.")
        }
        guard !state.steps.isEmpty else { return }
        html.element("ul", [.class("a-steps-of-refresh")]) { html in
            for step in state.steps { html.element("li") { write(step, &$0) } }
        }
    }

    private static func write(_ step: RefreshState.Step, _ html: inout HTMLWriter) {
        html.element("strong", [.text("dir", "auto")], text: step.source)
        html.text(" ")
        html.mark(step.kind == .failed ? .error : step.isFinal ? .good : .waiting, label(step))
        if step.kind == .fetching, step.total > 0 {
            html.element(
                "progress",
                [
                    .number("max", 100), .number("value", min(100, step.byteCount * 100 / step.total)),
                    .text("aria-label", "Download of \(step.source)"),
                ], text: "\(min(100, step.byteCount * 100 / step.total)) %")
        }
        if !step.detail.isEmpty {
            html.element("span", [.class("a-detail"), .text("dir", "auto")], text: step.detail)
        }
    }

    private static func label(_ step: RefreshState.Step) -> String {
        switch step.kind {
        case .requesting: "waiting for the server"
        case .fetching: "downloading, \(Wording.bytes(step.byteCount))"
        case .importing: "reading \(Wording.bytes(step.byteCount))"
        case .imported: "imported"
        case .unchanged, .notModified: "unchanged"
        case .notDue: "not due"
        case .notConfigured: "no longer in epg.yml"
        case .failed: "failed"
        }
    }

    static func start(_ controller: AdminController, _ admin: AdminRequest) -> Response {
        var names = admin.form["name"].map { [$0] }
        if admin.form["selects"] != nil {
            names = admin.form.values(of: "source")
            if names?.isEmpty ?? true {
                return controller.redirect(
                    to: "/admin", admin, notice: "Select at least one source.", isError: true)
            }
        }
        admin.subject.set(names?.joined(separator: ", ") ?? "all due sources")
        admin.operations.requestRefresh(of: names.map(Set.init), isForced: admin.form["force"] == "1")
        return .seeOther("/admin/refresh")
    }

    static func cancel(_ controller: AdminController, _ admin: AdminRequest) -> Response {
        admin.operations.cancelRefresh()
        return controller.redirect(
            to: "/admin/refresh", admin, notice: "The refresh is interrupted. The next one continues.")
    }
}
