import EPGModel
import Synchronization

/// The ``ScheduleIndex`` of the version of the guide that stands.
final class StandingSchedules: Sendable {
    private struct State {
        var index: ScheduleIndex?
        var texts: GridTexts
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

    /// The index of the version that a reading sees; from now on it is the one that stands, unless a later one does.
    ///
    /// - Throws: An error of the store.
    func index(of version: GuideVersion, in guide: any GuideBrowsing) throws -> ScheduleIndex {
        if let index = index(of: version) { return index }
        let count = try guide.stationCount()
        return state.withLock { state in
            if let index = state.index, index.version == version { return index }
            if let index = state.index, index.version.key != version.key {
                state.texts = GridTexts(capacity: capacity / 2)
            }
            let index = ScheduleIndex(of: version, stationCount: count, texts: state.texts, capacity: capacity)
            // A reading that began before a change must not bring the past back.
            if let standing = state.index, standing.version.key == version.key,
                standing.version.generation > version.generation
            {
                return index
            }
            state.index = index
            return index
        }
    }
}
