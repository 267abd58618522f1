import EPGModel
import TestSupport
import Testing

@testable import EPGTerminal

@Suite struct ListViewTests {
    private func row(_ id: Int64, children: [ListView.Row] = []) -> ListView.Row {
        ListView.Row(id: AiringID(id), title: "Row \(id)", detail: "", children: children)
    }

    @Test func firstOfTwoRowsWithOneIdentifierIsShown() throws {
        let list = ListView(size: Screen.Size(columns: 40, rows: 10))
        let rows = ["First", "Second"].map { ListView.Row(id: AiringID(1), title: $0, detail: "", children: []) }
        try list.show([ListView.Section(header: "Matches", rows: rows)])
        var screen = Screen(size: Screen.Size(columns: 40, rows: 10))
        list.draw(on: &screen, below: 0, rows: 10)
        expectText(screen.text, contains: ["First"], lacks: ["Second"])
    }

    @Test func rowThatOccursTwiceIsShownOnce() throws {
        let list = ListView(size: Screen.Size(columns: 40, rows: 10))
        for rows in [[row(1), row(1)], [row(1, children: [row(1)])], [row(1, children: [row(2)]), row(2)]] {
            try list.show([ListView.Section(header: "Matches", rows: rows)])
            list.move(by: 5)
            expectEqual(list.focus, AiringID(1))
        }
        try list.show([ListView.Section(header: "Matches", rows: [row(1, children: [row(2)]), row(3)])])
        try list.open()
        list.move(by: 1)
        #expect(list.focus == AiringID(2))
    }
}
