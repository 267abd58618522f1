internal import Glibc

/// The environment of a source's program: what programs usually need, and nothing that may be meant for somebody else.
///
/// This process may have secrets among its variables: those that `epg.yml` names for other sources, and whatever a service
/// manager or a shell put there. A program that needs more has it named under `environment:` in its source.
package enum CommandEnvironment {
    /// Variables that are passed on where they are set; the README lists them.
    package static let passed = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "TMPDIR", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE",
        "LC_COLLATE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
        "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS", "http_proxy",
        "https_proxy", "ftp_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY",
        "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
    ]

    /// The variables of a program.
    ///
    /// - Parameter own: Those of the source; they take precedence.
    package static func variables(own: [String: String]) -> [String: String] {
        var variables: [String: String] = [:]
        for name in passed {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return variables.merging(own) { _, own in own }
    }
}
