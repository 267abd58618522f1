import EPGModel
import XMLTV

extension Instant {
    /// The instant of an ISO 8601 time; one without a zone is in UTC. `nil` where it is no time of a day.
    init?(iso8601 text: String) {
        do throws(XMLTVTimeError) {
            let time = try XMLTVTime(text)
            guard time.precision >= .hour else { return nil }
            self.init(secondsSince1970: time.secondsSince1970)
        } catch {
            // Whoever asks reports what can't be read.
            return nil
        }
    }
}
