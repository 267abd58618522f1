package import EPGCalendar
import EPGModel

/// What the service tells of itself.
package struct Site: Hashable, Sendable {
    /// What the pages are headed with.
    package var title = "TV guide"
    /// The zone of people who name none.
    package var zone: Zone
    /// The address under which others reach the service, without a slash at the end, such as `https://tv.example`; `nil`
    /// where feeds are to name the host that was asked.
    package var publicAddress: String?
    /// When the service began, which it fills in itself.
    var began: Instant?

    package init(zone: Zone) {
        self.zone = zone
    }
}
