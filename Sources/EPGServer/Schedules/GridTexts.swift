import EPGModel
import EPGRender
import Synchronization

/// What grids write of programmes, by their numbers in one database.
///
/// A number means the same content for as long as the database lives, so nothing in here is ever out of date.
final class GridTexts: Sendable {
    private struct State {
        var texts: [Int64: GridText] = [:]
        /// In bytes.
        var size = 0
    }

    /// In bytes.
    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The text of each of some programmes; what isn't here is read, and kept. `nil` for a programme that isn't there.
    ///
    /// - Throws: An error of the store.
    func texts(ofProgrammes numbers: [Int64], from guide: any GuideReading) throws -> [GridText?] {
        var found = state.withLock { state in numbers.map { state.texts[$0] } }
        let missing = Set(zip(numbers, found).lazy.filter { $0.1 == nil }.map(\.0))
        guard !missing.isEmpty else { return found }
        let briefs = try guide.briefs(ofProgrammes: Array(missing))
        let read = Dictionary(uniqueKeysWithValues: briefs.map { ($0.number, GridText($0)) })
        keep(read)
        for index in found.indices where found[index] == nil { found[index] = read[numbers[index]] }
        return found
    }

    /// Keeps texts; where there is no room for them, all others go from here, though not from the airings that have them.
    private func keep(_ read: [Int64: GridText]) {
        let size = read.values.reduce(0) { $0 + $1.size }
        guard size <= capacity / 8 else { return }
        state.withLock { state in
            if state.size + size > capacity { state = State() }
            for (number, text) in read where state.texts.updateValue(text, forKey: number) == nil {
                state.size += text.size
            }
        }
    }
}
