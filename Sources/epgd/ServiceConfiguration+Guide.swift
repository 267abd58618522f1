import EPGConfig
import EPGModel
import EPGServer
import EPGStore
import Logging

extension ServiceConfiguration {
    /// The guide that is served: the one place of the service that knows what stores it.
    ///
    /// - Parameter logger: Gets a warning when the disk may be failing.
    func guide(logger: Logger) -> any GuideStorage {
        GuideDatabase(path: database ?? "", connections: GuideServer.concurrentReadings) { error in
            logger.warning("the database is behind its log", metadata: ["reason": "\(error)"])
        }
    }
}
