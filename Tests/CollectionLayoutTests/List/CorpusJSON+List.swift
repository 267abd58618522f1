import CollectionLayout
import LayoutTestSupport

extension CorpusCase {
    /// The cases whose sections are lists.
    static func lists() throws -> [CorpusCase] {
        try CorpusJSON.corpus("list.json").member("cases").array.map { json in
            try CorpusCase(json) { sections in
                let lists = try sections.map { try $0.member("list").list }
                return CompositionalLayout { .list(using: lists[$0], layoutEnvironment: $1) }
            }
        }
    }
}

extension CorpusJSON {
    /// By `"SECTION ITEM"`.
    fileprivate func byPath<Value>(_ value: (CorpusJSON) throws -> Value) throws -> [IndexPath: Value] {
        var values: [IndexPath: Value] = [:]
        for (words, json) in try object {
            let numbers = words.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 2 else { throw Mismatch(description: "\(words) is no index path") }
            values[IndexPath(section: numbers[0], item: numbers[1])] = try value(json)
        }
        return values
    }

    fileprivate var list: ListConfiguration {
        get throws {
            var list = ListConfiguration(appearance: try member("appearance").named())
            list.headerMode = try self["header"]?.named() ?? .none
            list.footerMode = try self["footer"]?.named() ?? .none
            list.showsSeparators = try self["showsSeparators"]?.bool ?? list.showsSeparators
            list.headerTopPadding = try self["headerTopPadding"]?.number
            list.sectionMargins = try self["sectionMargins"]?.insets
            list.estimatedRowHeight = try self["estimatedRowHeight"]?.number ?? list.estimatedRowHeight
            list.estimatedHeaderHeight = try self["estimatedHeaderHeight"]?.number ?? list.estimatedHeaderHeight
            list.estimatedFooterHeight = try self["estimatedFooterHeight"]?.number ?? list.estimatedFooterHeight
            list.textLeading = try self["textLeading"]?.number ?? list.textLeading
            if let leadings = try self["textLeadings"]?.byPath({ try $0.number }) {
                list.textLeadingHandler = { leadings[$0] }
            }
            if let separators = self["separators"] {
                list.separatorConfiguration = try separators.separators(on: list.separatorConfiguration)
            }
            let section = list.separatorConfiguration
            if let items = try self["itemSeparators"]?.byPath({ try $0.separators(on: section) }) {
                list.itemSeparatorHandler = { path, section in items[path] ?? section }
            }
            return list
        }
    }

    private func separators(on section: ListSeparatorConfiguration) throws -> ListSeparatorConfiguration {
        var separators = section
        if let top = self["top"] { separators.topSeparatorVisibility = try top.named() }
        if let bottom = self["bottom"] { separators.bottomSeparatorVisibility = try bottom.named() }
        if let insets = self["topInsets"] { separators.topSeparatorInsets = try insets.separatorInsets }
        if let insets = self["bottomInsets"] { separators.bottomSeparatorInsets = try insets.separatorInsets }
        return separators
    }

    private var separatorInsets: ListSeparatorConfiguration.Insets {
        get throws {
            let edges = try array
            guard edges.count == 2 else { throw Mismatch(description: "\(self) has not two edges") }
            func distance(_ json: CorpusJSON) throws -> Double? {
                if case .null = json { return nil }
                return try json.number
            }
            return ListSeparatorConfiguration.Insets(
                leading: try distance(edges[0]), trailing: try distance(edges[1]))
        }
    }
}
