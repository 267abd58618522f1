import CollectionLayout
import CollectionView
import EPGCalendar
import EPGLayout
import EPGModel

@testable import EPGRender

/// A picture of the documentation and the layout that it shows.
struct Picture: CustomStringConvertible, Sendable {
    let name: String
    let draw: @Sendable (SVGTheme) throws -> String

    init(_ name: String, _ draw: @escaping @Sendable (SVGTheme) throws -> String) {
        self.name = name
        self.draw = draw
    }

    var description: String { name }

    /// A layout in a view of 320 points.
    ///
    /// - Parameters:
    ///   - counts: The number of items in each section.
    ///   - scrolledTo: The offset of the view in the content, whose frame is drawn. `nil` draws all of the content
    ///     without a frame.
    init(
        _ name: String, _ title: String, _ counts: ItemCounts, width: Double = 320, scrolledTo bounds: Rect? = nil,
        drawn rect: Rect? = nil, layout: @escaping @Sendable () -> any CollectionViewLayout
    ) {
        self.init(name) { theme in
            var layout = layout()
            layout.prepare(
                in: LayoutContainer(
                    bounds: bounds ?? Rect(x: 0, y: 0, width: width, height: 480), counts: counts))
            let drawn = rect ?? Rect(origin: .zero, size: layout.contentSize)
            return LayoutSVG(title: title, theme: theme, viewport: bounds)
                .text(of: layout.attributes(in: drawn), in: drawn)
        }
    }
}

// MARK: - All pictures

extension Picture {
    static let all = flow + compositional + custom + lists + [guide]

    static let flow = [
        Picture("flow-justified", "Two sections of a flow layout", [8, 2]) { FlowSamples.justified() },
        Picture("flow-leading", "Rows that begin at the leading edge", [8, 2]) { FlowSamples.leading() },
        Picture("flow-varied", "Items of several sizes", [9]) { FlowSamples.varied() },
        Picture(
            "flow-pinned", "A pinned header in a scrolled view", [8, 8],
            scrolledTo: Rect(x: 0, y: 90, width: 320, height: 200)
        ) { FlowSamples.pinned() },
    ]

    static let compositional = [
        Picture("compositional-nested", "A group in a group", [6]) {
            CompositionalLayout(section: CompositionalSamples.nested())
        },
        Picture("compositional-badge", "Items with badges", [7]) {
            CompositionalLayout(section: CompositionalSamples.badges())
        },
        Picture(
            "compositional-orthogonal", "A section that scrolls orthogonally", [5, 3],
            scrolledTo: Rect(x: 0, y: 0, width: 320, height: 210),
            drawn: Rect(x: -140, y: 0, width: 680, height: 210)
        ) {
            var layout = CompositionalSamples.shelves()
            layout.setOrthogonalOffset(130, section: 0)
            return layout
        },
        Picture(
            "compositional-boundary", "Pinned headers and backgrounds", [8, 5],
            scrolledTo: Rect(x: 0, y: 70, width: 320, height: 200)
        ) { CompositionalLayout(section: CompositionalSamples.chapter()) },
    ]

    static let custom = [
        Picture("waterfall", "Columns that are filled evenly", [14], width: 316) {
            WaterfallLayout { path, width in [1.2, 0.6, 0.9, 0.5, 0.75][path.item % 5] * width }
        }
    ]
}

// MARK: - Golden files

extension SVGTheme {
    /// The suffix by which DocC finds pictures for dark mode.
    static let bySuffix = [("", SVGTheme.light), ("~dark", SVGTheme.dark)]
}

/// A fictional evening of three stations.
extension Picture {
    static let guide = Picture("guide-grid") { theme in
        let window = TimeWindow(start: instant(0), end: instant(240))
        let metrics = try GuideMetrics(
            pointsPerHour: 240, rowHeight: 56, rowSpacing: 2, stationColumnWidth: 120, headerHeight: 32, lineHeight: 18)
        let layout = try GuideLayout(metrics: metrics, window: window, rowCount: stations.count)
        let viewport = try Viewport(x: 40, y: 0, width: 640, height: 206)
        let marks = (0..<8).map { half in
            TimeMark(
                instant: instant(half * 30), label: "\(18 + half / 2):\(half % 2 == 0 ? "00" : "30")",
                kind: half % 2 == 0 ? .hour : .halfHour)
        }
        let day = TimeMark(instant: instant(0), label: "Sat 24 Oct", kind: .day)
        let content = GuideContent(
            schedules: schedules(), coverage: window, marks: GuideMarks(marks + [day]), now: instant(75))
        return GuideSVG(
            layout: layout, viewport: viewport, theme: theme, clock: GuideClock(zone: .utc), now: instant(75)
        ).text(of: content)
    }

    /// Returns an instant from minutes after 18:00 on October 24, 2026, in UTC.
    private static func instant(_ minutes: Int) -> Instant {
        Instant(secondsSince1970: 1_792_864_800 + Int64(minutes) * 60)
    }

    private typealias Entry = (start: Int, end: Int, title: String, category: String)

    private static let stations: [(name: String, entries: [Entry])] = [
        (
            "Harbour One",
            [
                (0, 30, "Evening News", "News"), (30, 90, "The Lighthouse", "Drama series"),
                (90, 210, "Night Ferry", "Film"), (210, 240, "Weather", "News"),
            ]
        ),
        ("Lakeside", [(0, 105, "Regatta", "Sport"), (105, 165, "Low Tide", "Documentary")]),
        (
            "Kids’ Corner",
            [
                (0, 20, "Bubbles", "Children"), (20, 45, "Little Otter", "Children"),
                (45, 120, "Song Boat", "Music"), (120, 240, "Quiz Quay", "Entertainment"),
            ]
        ),
    ]

    /// The codes of ETSI EN 300 468, table 28.
    private static let genres: [String: ProgrammeGenre] = [
        "News": ProgrammeGenre(code: 0x20, form: .unknown), "Film": ProgrammeGenre(code: 0x10, form: .film),
        "Drama series": ProgrammeGenre(code: 0x10, form: .series), "Sport": ProgrammeGenre(code: 0x40, form: .unknown),
        "Documentary": ProgrammeGenre(code: 0x23, form: .unknown), "Music": ProgrammeGenre(code: 0x60, form: .unknown),
        "Children": ProgrammeGenre(code: 0x50, form: .unknown),
        "Entertainment": ProgrammeGenre(code: 0x30, form: .unknown),
    ]

    private static func schedules() -> [RowSchedule] {
        stations.enumerated().map { row, station in
            let id = StationID("station-\(row)")
            let airings = station.entries.enumerated().map { index, entry in
                Airing(
                    id: AiringID(Int64(row * 100 + index)), station: id,
                    window: TimeWindow(start: instant(entry.start), end: instant(entry.end)), title: entry.title,
                    categories: [entry.category], genre: genres[entry.category] ?? .none)
            }
            return RowSchedule(
                row: row, stationName: station.name, schedule: Schedule(station: id, airings: airings))
        }
    }
}

/// Lists with self-sizing rows, in a view.
extension Picture {
    static let lists =
        ListConfiguration.Appearance.allCases.map { appearance in
            Picture(list: "list-\(name(of: appearance))", "A list", appearance) { path in
                row(path, in: appearance)
            }
        } + [
            Picture(list: "list-accessories", "Images and accessories", .insetGrouped, counts: [6]) { path in
                accessories(path)
            }
        ]

    init(
        list name: String, _ title: String, _ appearance: ListConfiguration.Appearance, counts: [Int] = [3, 2],
        row: @escaping @Sendable (IndexPath) -> ListCell
    ) {
        self.init(name) { theme in
            let configuration = ListSamples.configuration(appearance)
            let view = CollectionView(
                layout: CompositionalLayout.list(using: configuration),
                bounds: Rect(x: 0, y: 0, width: 320, height: 1000))
            view.layoutMargins = EdgeInsets(top: 0, leading: 16, bottom: 0, trailing: 16)
            let source = ListPictureSource(counts: counts, appearance: appearance, row: row)
            view.dataSource = source
            view.layoutIfNeeded()
            let cells = source.cells(in: view)
            let picture = LayoutSVG(
                title: title, theme: theme, ground: appearance == .plain ? .systemBackground : .groupedBackground
            ) {
                cells[$0.element].map { .row($0) } ?? .box("")
            }
            let size = Size(width: 320, height: view.contentSize.height + 8)
            return picture.text(of: view.visibleElements, in: Rect(origin: .zero, size: size))
        }
    }

    private static func name(of appearance: ListConfiguration.Appearance) -> String {
        switch appearance {
        case .plain, .grouped: appearance.rawValue
        case .insetGrouped: "inset-grouped"
        }
    }

    private static let names = [["Harbour One", "Lakeside", "Kids’ Corner"], ["Film Night", "Low Tide"]]

    private static func row(_ path: IndexPath, in appearance: ListConfiguration.Appearance) -> ListCell {
        var content = ContentConfiguration.cell(for: appearance)
        content.text = names[path.section][path.item]
        return ListCell(content: content, background: .cell(for: appearance))
    }

    private static func accessories(_ path: IndexPath) -> ListCell {
        var cell = ListSamples.station("Harbour One", now: "The Lighthouse")
        cell.background = .cell(for: .insetGrouped)
        switch path.item {
        case 1: cell.accessories = [.checkmark()]
        case 2: cell.accessories = [.detail(), .disclosureIndicator()]
        case 3: cell.accessories = [.delete(displayed: .always), .reorder(displayed: .always)]
        case 4: cell.accessories = [.multiselect(displayed: .always), .outlineDisclosure()]
        case 5:
            var content = ContentConfiguration(style: .valueCell)
            content.text = "Language"
            content.secondaryText = "English"
            cell = ListCell(content: content, background: .cell(for: .insetGrouped))
            cell.accessories = [.disclosureIndicator()]
        default: break
        }
        return cell
    }
}

/// Rows and headers for the pictures of lists.
private final class ListPictureSource: CollectionViewDataSource {
    let counts: [Int]
    let appearance: ListConfiguration.Appearance
    let rows: CellRegistration<RowView, ListCell>
    let headers: SupplementaryRegistration<RowView>
    let row: (IndexPath) -> ListCell

    init(
        counts: [Int], appearance: ListConfiguration.Appearance, row: @escaping @Sendable (IndexPath) -> ListCell
    ) {
        self.counts = counts
        self.appearance = appearance
        self.row = row
        rows = CellRegistration { view, _, cell in view.cell = cell }
        headers = SupplementaryRegistration(kind: .header) { view, _, path in
            var content = ContentConfiguration.header(for: appearance)
            content.text = path.section == 0 ? "Stations" : "Later"
            view.cell = ListCell(content: content, background: .headerFooter(for: appearance))
        }
    }

    func numberOfSections(in view: CollectionView) -> Int { counts.count }

    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { counts[section] }

    func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
        view.dequeueCell(using: rows, for: path, item: row(path))
    }

    func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
    ) -> (any ReusableView)? {
        view.dequeueSupplementary(using: headers, for: path)
    }

    /// Returns the content of each visible element.
    func cells(in view: CollectionView) -> [LayoutElement: ListCell] {
        var cells: [LayoutElement: ListCell] = [:]
        for attributes in view.visibleElements {
            let content: (any ReusableView)? =
                switch attributes.element {
                case .item(let path): view.cell(at: path)
                case .supplementary(let kind, let path): view.supplementaryView(ofKind: kind, at: path)
                case .decoration: nil
                }
            cells[attributes.element] = (content as? RowView)?.cell
        }
        return cells
    }
}
