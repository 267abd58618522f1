/// How far a refresh has come, for who watches it.
package enum RefreshStep: Hashable, Sendable {
    /// A source is asked; its name.
    case asking(String)
    /// Its guide arrives; told often.
    case fetching(String, FetchProgress)
    /// Its guide was fetched and is imported.
    case importing(String, byteCount: Int64)
    /// It is done, one way or the other.
    case ended(SourceRefresh)
}
