import CollectionLayout
import CollectionView
import LayoutTestSupport

extension Lists {
    /// Letters are 10 wide, lines 20 high; a line holds as many letters as fit, at least one.
    static func measure(_ request: TextRequest) -> Size {
        let count = request.text.count
        let fitting = request.width < 1e6 ? max(1, Int(request.width / 10)) : max(1, count)
        var lines = (count + fitting - 1) / fitting
        if request.properties.numberOfLines > 0 { lines = min(lines, request.properties.numberOfLines) }
        return Size(width: Double(min(count, fitting)) * 10, height: Double(lines) * 20)
    }
}
