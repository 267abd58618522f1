import CollectionLayout
import Testing

/// How a row shares what it leaves free; expected numbers by hand from section 3 of the facts.
@Suite struct FlowRowTests {
    /// 20 wide in 100 with 5 between: four take 95, so that each gap grows by 5/3.
    @Test(
        arguments: [
            (FlowLayout.LastRow.bySizes, [0, 26.667, 53.333]), (.asIfFilled, [0, 26.667, 53.333]),
            (.leading, [0, 25, 50]),
        ] as [(FlowLayout.LastRow, [Double])])
    func fullRowsAreJustifiedAndTheLastByItsRule(rule: FlowLayout.LastRow, last: [Double]) {
        let layout = FlowLayout.prepared(width: 100, counts: [7]) {
            $0.itemSize = size(20, 10)
            $0.minimumInteritemSpacing = 5
            $0.lastRow = rule
        } in: {
            $0.pixels = PixelGrid(scale: 3)
        }
        let edges = layout.leadingEdges(7).map { ($0 ?? -1).rounded(toThousandth: ()) }
        #expect(edges == [0, 26.667, 53.333, 80] + last)
    }

    @Test func aLastRowThatIsFullIsJustifiedUnderEveryRule() {
        for rule in FlowLayout.LastRow.allCases {
            let layout = FlowLayout.prepared(width: 100, counts: [4]) {
                $0.itemSize = size(30, 10)
                $0.lastRow = rule
            }
            #expect(layout.leadingEdges(4) == [0, 70, 0, 70])
        }
    }

    @Test func itemsWithSizesOfTheirOwnLeadInTheLastRow() {
        let sizes = [[size(20, 10), size(20, 10), size(20, 10), size(20, 10), size(20, 10), size(20, 10)]]
        let layout = FlowLayout.prepared(width: 100, counts: [6]) {
            $0.minimumInteritemSpacing = 4
            $0.delegate = FlowLayoutDelegate(sizes: sizes)
        }
        // Four take 92; the gaps grow by 8/3.
        #expect(layout.leadingEdges(6) == [0, 27, 53, 80, 0, 24])
    }

    /// 30 and 20 with 10 between leave room for one more of 20: of the 10 that then remain each gap gets 5.
    @Test(arguments: [(FlowLayout.LastRow.bySizes, 40.0), (.leading, 40), (.asIfFilled, 45)])
    func phantomsAreCopiesOfTheLastItem(rule: FlowLayout.LastRow, edge: Double) {
        let layout = FlowLayout.prepared(width: 100, counts: [4]) {
            $0.lastRow = rule
            $0.delegate = FlowLayoutDelegate(sizes: [[size(40, 10), size(40, 10), size(30, 10), size(20, 10)]])
        }
        #expect(layout.leadingEdges(4) == [0, 60, 0, edge])
    }

    @Test func anItemThatFillsARowAloneIsCentred() {
        for ownSizes in [false, true] {
            let layout = FlowLayout.prepared(width: 100, counts: [3]) {
                $0.itemSize = size(60, 10)
                $0.sectionInset = EdgeInsets(leading: 10, trailing: 20)
                if ownSizes { $0.delegate.sizeForItem = { _ in size(60, 10) } }
            }
            #expect(layout.items(3) == [box(15, 0, 60, 10), box(15, 20, 60, 10), box(15, 40, 60, 10)])
        }
    }

    @Test func anItemAloneInTheLastRowStandsInLineWithOthers() {
        let layout = FlowLayout.prepared(width: 100, counts: [3]) { $0.itemSize = size(30, 10) }
        #expect(layout.leadingEdges(3) == [0, 70, 0])
    }

    @Test func anItemThatTheNextDoesNotFollowIsCentred() {
        let layout = FlowLayout.prepared(width: 100, counts: [2]) {
            $0.delegate = FlowLayoutDelegate(sizes: [[size(30, 10), size(90, 10)]])
        }
        #expect(layout.leadingEdges(2) == [35, 5])
    }

    @Test func leadingRowsKeepTheLeastSpacing() {
        let layout = FlowLayout.prepared(width: 100, counts: [3]) {
            $0.rowAlignment = .leading
            $0.itemSize = size(30, 10)
        }
        #expect(layout.leadingEdges(3) == [0, 40, 0])
    }

    @Test func itemsAreCentredAcrossARowAsThickAsItsThickest() {
        let layout = FlowLayout.prepared(width: 100, counts: [4]) {
            $0.minimumInteritemSpacing = 5
            $0.minimumLineSpacing = 7
            $0.delegate = FlowLayoutDelegate(sizes: [[size(30, 10), size(30, 30), size(30, 20), size(30, 8)]])
        }
        #expect(layout.items(4) == [box(0, 10, 30, 10), box(35, 0, 30, 30), box(70, 5, 30, 20), box(0, 37, 30, 8)])
        #expect(layout.contentSize == size(100, 45))
    }

    @Test func anItemLongerThanItsRowBeginsWithItAndIsReported() {
        let layout = FlowLayout.prepared(width: 100, counts: [3]) {
            $0.sectionInset = EdgeInsets(leading: 10, trailing: 10)
            $0.delegate = FlowLayoutDelegate(sizes: [[size(20, 10), size(120, 10), size(20, 10)]])
        }
        #expect(layout.item(1) == box(10, 20, 120, 10))
        #expect(layout.item(2)?.minY == 40)
        #expect(layout.diagnostics.map(\.problem) == [.noRoom])
        #expect(layout.diagnostics.map(\.element) == [.item(IndexPath(section: 0, item: 1))])
    }

    @Test func lengthsThatAddUpToARowButForRoundingFit() {
        let layout = FlowLayout.prepared(width: 100, counts: [7]) {
            $0.itemSize = size(100.0 / 7, 10)
            $0.minimumInteritemSpacing = 0
        }
        #expect(layout.contentSize.height == 10)
    }

    @Test func neighboursShareTheirEdgeOnThePixelGrid() {
        for (rounding, widths) in [(PixelGrid.Rounding.edges, [33.0, 34, 33]), (.components, [33, 33, 33])] {
            let layout = FlowLayout.prepared(width: 100, counts: [3]) {
                $0.itemSize = size(100.0 / 3, 10)
                $0.minimumInteritemSpacing = 0
                $0.rounding = rounding
            }
            #expect(layout.leadingEdges(3) == [0, 33, 67])
            #expect(layout.items(3).map { $0?.width } == widths)
        }
    }
}

extension Double {
    func rounded(toThousandth: Void) -> Double { (self * 1000).rounded() / 1000 }
}
