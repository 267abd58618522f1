public import CollectionLayout

/// What a collection view was asked for and can't do.
public enum CollectionViewError: Error, Hashable, Sendable {
    /// The data has no such item.
    case unknownItem(IndexPath)
    /// The data has the item, the layout gives it no place.
    case notPlaced(IndexPath)
}

extension CollectionViewError: CustomStringConvertible {
    /// What is missing, and what to do.
    public var description: String {
        switch self {
        case .unknownItem(let path):
            "There is no item \(path). Ask for an item that the data source counts; reload the data if it has changed."
        case .notPlaced(let path):
            "The layout gives item \(path) no place. Ask its attributes(of:) beforehand which items it places."
        }
    }
}
