/// How long somebody waits for a lock that another process holds.
enum LockWait: Sendable {
    /// Not at all.
    case never
    case always
    /// Until there is no more use in it, which is looked at some times a second.
    case unless(@Sendable () -> Bool)
}
