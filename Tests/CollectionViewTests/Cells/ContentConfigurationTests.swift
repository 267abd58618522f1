import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

@Suite struct ContentConfigurationTests {
    private func state(_ change: (inout CellState) -> Void) -> CellState {
        var state = CellState()
        change(&state)
        return state
    }

    @Test func disabledContentIsPaleAndBecomesItselfAgain() {
        let content = ContentConfiguration.subtitleCell()
        let disabled = content.updated(for: state { $0.isDisabled = true })
        #expect(disabled.textProperties.color == .tertiaryLabel)
        #expect(disabled.secondaryTextProperties.color == .tertiaryLabel)
        #expect(disabled.imageProperties.tintColor == .tertiaryLabel)
        #expect(disabled.updated(for: CellState()) == content)
    }

    @Test func whatWasSetOnPurposeStays() {
        var content = ContentConfiguration.cell()
        content.textProperties.color = "brown"
        let disabled = content.updated(for: state { $0.isDisabled = true })
        #expect(disabled.textProperties.color == "brown" && disabled.imageProperties.tintColor == .tertiaryLabel)
    }

    @Test func selectionTurnsTheTextOfSidebarsAlone() {
        let selected = CellState(isSelected: true)
        #expect(ContentConfiguration.sidebarCell().updated(for: selected).textProperties.color == .selectedLabel)
        #expect(ContentConfiguration.cell().updated(for: selected).textProperties.color == .label)
        #expect(ContentConfiguration.sidebarHeader().updated(for: selected).textProperties.color == .label)
        #expect(ContentConfiguration.accompaniedSidebarCell().updated(for: selected).textProperties.color == .label)
        let focused = state { $0.isFocused = true }
        #expect(ContentConfiguration.cell().updated(for: focused).textProperties.color == .selectedLabel)
    }

    @Test func groundsFollowTheState() {
        typealias Sample = (ListConfiguration.Appearance, CellState, ColorToken?)
        let highlighted = CellState(isHighlighted: true)
        let selected = CellState(isSelected: true, isHighlighted: true)
        let table: [Sample] = [
            (.plain, CellState(), .systemBackground), (.plain, highlighted, .highlight), (.plain, selected, .selection),
            (.grouped, CellState(), .secondaryGroupedBackground), (.insetGrouped, selected, .selection),
            (.sidebar, CellState(), nil), (.sidebar, selected, .tint), (.sidebarPlain, highlighted, .highlight),
        ]
        for (appearance, state, color) in table {
            let ground = BackgroundConfiguration.cell(for: appearance)
            #expect(ground.updated(for: state).backgroundColor == color, "\(appearance) \(state)")
            #expect(ground.updated(for: state).updated(for: CellState()) == ground)
        }
        var own = BackgroundConfiguration.cell(for: .plain)
        own.backgroundColor = "brown"
        #expect(own.updated(for: selected).backgroundColor == "brown")
        #expect(BackgroundConfiguration.clear().updated(for: selected).backgroundColor == nil)
    }

    @Test func aCellTakesItsStateAsAWhole() {
        var cell = ListCell(content: .sidebarCell(), background: .cell(for: .sidebar))
        cell.accessories = [.reorder()]
        let selected = cell.updated(for: CellState(isSelected: true))
        #expect(
            selected.content.textProperties.color == .selectedLabel && selected.background?.backgroundColor == .tint)
        let editing = cell.updated(for: state { $0.isEditing = true })
        #expect(editing.layout(width: 300, measuring: Lists.measure).accessories.count == 1)
        #expect(cell.layout(width: 300, measuring: Lists.measure).accessories.isEmpty)
        #expect(editing.updated(for: CellState()) == cell)
    }

    @Test func groundsOfSidebarsAreInset() {
        var ground = BackgroundConfiguration.cell(for: .sidebar)
        #expect(ground.frame(in: Rect(x: 0, y: 0, width: 100, height: 44)) == Rect(x: 8, y: 0, width: 84, height: 44))
        ground.backgroundInsets = EdgeInsets(top: .nan, leading: 10, bottom: 4, trailing: 30)
        let bounds = Rect(x: 0, y: 0, width: 100, height: 44)
        #expect(ground.frame(in: bounds) == Rect(x: 10, y: 0, width: 60, height: 40))
        #expect(ground.frame(in: bounds, direction: .rightToLeft) == Rect(x: 30, y: 0, width: 60, height: 40))
    }

    @Test func eachAppearanceHasItsContents() {
        for appearance in ListConfiguration.Appearance.allCases {
            #expect(!ContentConfiguration.cell(for: appearance).style.isHeaderOrFooter)
            #expect(ContentConfiguration.header(for: appearance).style.isHeaderOrFooter)
            #expect(ContentConfiguration.footer(for: appearance).style.isHeaderOrFooter)
        }
        #expect(ContentConfiguration.header(for: .insetGrouped) == .groupedHeader())
        #expect(ContentConfiguration.valueCell().prefersSideBySideTextAndSecondaryText)
        #expect(ContentConfiguration.cell().margins == EdgeInsets(top: 11, leading: 16, bottom: 11, trailing: 8))
        #expect(
            ContentConfiguration.groupedHeader().margins == EdgeInsets(top: 17, leading: 8, bottom: 6, trailing: 8))
    }

    @Test func textsSideBySideAreMeasuredInOneLineEach() {
        var content = ContentConfiguration.valueCell()
        content.text = "abc"
        content.secondaryText = "xyz"
        var asked: [TextRequest] = []
        let layout = ListCell(content: content).layout(width: 300) { request in
            asked.append(request)
            return Lists.measure(request)
        }
        #expect(layout.isSideBySide && asked.map(\.text) == ["abc", "xyz"])
        #expect(asked.allSatisfy { $0.width == .infinity && $0.properties.numberOfLines == 1 })
    }

    @Test func aTextIsMeasuredAsItIsShown() {
        var content = ContentConfiguration.groupedHeader()
        content.text = "straße"
        var asked: [TextRequest] = []
        _ = ListCell(content: content).layout(width: 300) { request in
            asked.append(request)
            return Lists.measure(request)
        }
        #expect(asked.map(\.text) == ["STRASSE"] && asked.map(\.width) == [268])
        #expect(asked.first?.properties.style == .footnote)
    }
}
