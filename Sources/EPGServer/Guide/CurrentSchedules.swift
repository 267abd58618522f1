import EPGModel
import Synchronization

/// The ``ScheduleIndex`` of the current version of the guide.
final class CurrentSchedules: Sendable {
    private struct State {
        var index: ScheduleIndex?
        var texts: GridTexts
        /// The versions that were current before, oldest first.
        var past: [GuideVersion] = []
    }

    /// In bytes of airings. Their texts may take half as much again.
    private let capacity: Int
    private let state: Mutex<State>

    init(capacity: Int) {
        self.capacity = capacity
        state = Mutex(State(texts: GridTexts(capacity: capacity / 2)))
    }

    /// The size of the airings in bytes.
    var size: Int { state.withLock { $0.index }?.size ?? 0 }

    /// The index of a version; `nil` unless it is the current one.
    func index(of version: GuideVersion) -> ScheduleIndex? {
        state.withLock { $0.index?.version == version ? $0.index : nil }
    }

    /// The index of the version that a read sees. It becomes the current one, unless the read began before a change.
    ///
    /// The texts of programmes are kept by number as long as the version succeeds the one before in the same guide.
    ///
    /// - Throws: An error of the store.
    func index(of version: GuideVersion, in guide: any GuideReading) throws -> ScheduleIndex {
        let known = state.withLock { $0.index }
        if let known, known.version == version { return known }
        let count = try guide.stationCount()
        let isSuccessor = try known.map { try guide.version(of: $0.version.generation) == $0.version } ?? true
        return state.withLock { state in
            if let index = state.index, index.version == version { return index }
            // Another thread was faster, or the version is a past one: the index serves one response only.
            guard state.index === known, !state.past.contains(version) else {
                let texts = GridTexts(capacity: capacity / 2)
                return ScheduleIndex(of: version, stationCount: count, texts: texts, capacity: capacity)
            }
            if let known { state.past = state.past.suffix(7) + [known.version] }
            if !isSuccessor { state.texts = GridTexts(capacity: capacity / 2) }
            let index = ScheduleIndex(of: version, stationCount: count, texts: state.texts, capacity: capacity)
            state.index = index
            return index
        }
    }
}
