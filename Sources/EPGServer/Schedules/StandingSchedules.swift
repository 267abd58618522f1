import EPGModel
import Synchronization

/// The ``ScheduleIndex`` of the version of the guide that stands.
final class StandingSchedules: Sendable {
    private struct State {
        var index: ScheduleIndex?
        var texts: GridTexts
        /// The versions that were current before, the latest last.
        var past: [GuideVersion] = []
    }

    /// In bytes of airings; half as much again may be texts.
    private let capacity: Int
    private let state: Mutex<State>

    init(capacity: Int) {
        self.capacity = capacity
        state = Mutex(State(texts: GridTexts(capacity: capacity / 2)))
    }

    /// Bytes that the airings take.
    var size: Int { state.withLock { $0.index }?.size ?? 0 }

    /// The index of a version, if that is the one that stands.
    func index(of version: GuideVersion) -> ScheduleIndex? {
        state.withLock { $0.index?.version == version ? $0.index : nil }
    }

    /// The index of the version that a reading sees. It becomes the current one, unless the reading began before a change.
    ///
    /// Texts are kept by the numbers of programmes, which mean the same only in generations of one guide.
    /// - Throws: An error of the store.
    func index(of version: GuideVersion, in guide: any GuideReading) throws -> ScheduleIndex {
        let known = state.withLock { $0.index }
        if let known, known.version == version { return known }
        let count = try guide.stationCount()
        let isSuccessor = try known.map { try guide.version(of: $0.version.generation) == $0.version } ?? true
        return state.withLock { state in
            if let index = state.index, index.version == version { return index }
            // Another thread was faster, or this is the past: the index is for one answer only.
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
