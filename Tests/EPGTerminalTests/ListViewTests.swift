import EPGModel
import Testing

@testable import EPGTerminal

@Suite struct ListViewTests {
    private func row(_ id: Int64, children: [ListView.Row] = []) -> ListView.Row {
        ListView.Row(id: AiringID(id), title: "Row \(id)", detail: "", children: children)
    }

    /// The browser shows the error in the status line.
    @Test func duplicateRowIsReported() throws {
        let list = ListView(size: Screen.Size(columns: 40, rows: 10))
        for rows in [[row(1), row(1)], [row(1, children: [row(1)])], [row(1, children: [row(2)]), row(2)]] {
            #expect(throws: (any Error).self) { try list.show([ListView.Section(header: "Matches", rows: rows)]) }
        }
        try list.show([ListView.Section(header: "Matches", rows: [row(1, children: [row(2)]), row(3)])])
        try list.open()
        list.move(by: 1)
        #expect(list.focus == AiringID(2))
    }
}
