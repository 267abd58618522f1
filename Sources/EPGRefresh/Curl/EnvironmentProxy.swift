internal import Glibc

/// The proxies that the environment names, by the variables that curl knows.
///
/// libcurl isn't left to read them itself: where a proxy stands between, nobody here sees to which address the proxy
/// connects, and the fetch has to know that.
struct EnvironmentProxy: Sendable {
    /// The proxy for each scheme.
    private let proxies: [String: String]
    /// Hosts that are asked directly.
    private let exceptions: [String]

    /// Reads `http_proxy` (never in upper case, where a web server could have set it), `https_proxy`, `all_proxy` and
    /// `no_proxy`.
    ///
    /// - Parameter variable: The value of a variable of the environment.
    init(_ variable: (String) -> String? = EnvironmentProxy.variable) {
        func first(_ names: String...) -> String? {
            names.lazy.compactMap(variable).first { !$0.isEmpty }
        }
        let forAll = first("all_proxy", "ALL_PROXY")
        proxies = [
            "http": first("http_proxy") ?? forAll, "https": first("https_proxy", "HTTPS_PROXY") ?? forAll,
        ].compactMapValues { $0 }
        exceptions = (first("no_proxy", "NO_PROXY") ?? "").lowercased()
            .split { $0 == "," || $0 == " " }.map(String.init)
    }

    /// The proxy for an address; `nil` where it is asked directly.
    func proxy(for address: WebAddress) -> String? {
        guard let proxy = proxies[address.scheme], !exceptions.contains(where: { matches($0, address.host) }) else {
            return nil
        }
        return proxy
    }

    /// `*` is every host, `example.org` and `.example.org` are that name and all below it, `10.0.0.0/8` is a block.
    private func matches(_ exception: String, _ host: String) -> Bool {
        if exception == "*" { return true }
        if let address = IPAddress(host) { return AddressBlock(exception)?.contains(address) == true }
        let name = exception.hasPrefix(".") ? exception.dropFirst() : exception[...]
        return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
    }

    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
