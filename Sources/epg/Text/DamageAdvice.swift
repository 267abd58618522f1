/// What to do where a database is damaged.
enum DamageAdvice {
    /// A paragraph; `path` is the database's.
    static func text(path: String) -> String {
        """
        Restore a backup that epg backup made: epg restore FILE --database \(path). Without one, move \(path) away, and \
        what stands beside it and begins with its name; then add the sources again (epg source add) and let epg refresh or \
        epg import read the guide anew.
        """
    }
}
