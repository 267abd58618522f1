import EPGModel

/// The changes of one station's schedule over several generations, as one.
struct FoldedChanges {
    /// `nil` where the whole schedule may be another.
    private var changes: [AiringID: AiringChange]? = [:]

    /// Adds what a later generation changed; bytes that can't be read may mean anything, so they count as whole.
    mutating func add(_ logged: LoggedChanges) {
        guard changes != nil else { return }
        guard case .airings(let bytes) = logged else { return changes = nil }
        var decoder = ChangeDecoder(bytes)
        let later: [AiringChange]
        do throws(ChangeDamage) {
            later = try decoder.changes()
        } catch {
            return changes = nil
        }
        for change in later {
            if let earlier = changes?[change.id] {
                changes?[change.id] = earlier.followed(by: change)
            } else {
                changes?[change.id] = change
            }
        }
        // What is more than a generation may tell isn't told of several, either; so memory is bounded.
        if let count = changes?.count, count > LoggedChanges.limit { changes = nil }
    }

    /// What is left of all; `nil` where nothing is.
    var extent: StationChanges.Extent? {
        guard let changes else { return .whole }
        guard !changes.isEmpty else { return nil }
        return .airings(
            changes.values.sorted { left, right in
                (left.place, left.id) < (right.place, right.id)
            })
    }
}

extension AiringChange {
    /// By what changes are ordered.
    fileprivate var place: Instant { (after ?? before)?.start ?? Instant(secondsSince1970: .min) }
}
