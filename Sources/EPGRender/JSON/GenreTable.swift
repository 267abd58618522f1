import Synchronization

/// The numbers of genres, by what feeds write: each category is looked at once in the life of the process.
///
/// A feed has some dozens of categories; where strangers write more than the table has room for, it begins anew.
final class GenreTable: Sendable {
    static let shared = GenreTable()

    private static let greatestCount = 2048

    private let numbers = Mutex<[String: Int]>([:])

    /// The place in the list of genres, from 1; 0 for none. See ``Genre/init(categories:)``.
    func number(of categories: [String]) -> Int {
        for category in categories.prefix(8) {
            let number = number(of: category)
            if number > 0 { return number }
        }
        return 0
    }

    private func number(of category: String) -> Int {
        if let number = numbers.withLock({ $0[category] }) { return number }
        let genre = Genre(categories: [category])
        let number = genre.flatMap { Genre.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        // What is long would only fill the memory.
        if category.utf8.count <= 100 {
            numbers.withLock { numbers in
                if numbers.count >= GenreTable.greatestCount { numbers.removeAll() }
                numbers[category] = number
            }
        }
        return number
    }
}
