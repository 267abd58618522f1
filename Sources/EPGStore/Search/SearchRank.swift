/// In which texts the words of a search stand: the less, the better.
enum SearchRank: Int, CaseIterable, Comparable {
    case title
    case titleAndSubtitle
    case anywhere

    /// The columns of the index that are searched.
    var columns: String {
        switch self {
        case .title: "title"
        case .titleAndSubtitle: "title subtitle"
        case .anywhere: "title subtitle description"
        }
    }

    static func < (lhs: SearchRank, rhs: SearchRank) -> Bool { lhs.rawValue < rhs.rawValue }
}
