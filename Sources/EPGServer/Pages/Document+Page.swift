import EPGRender
import HTTPTypes
import NIOCore

extension Document {
    /// A page, with the fields that keep strangers out of it.
    init(page bytes: [UInt8]) {
        self.init(.html, ByteBuffer(bytes: bytes))
        fields[.contentSecurityPolicy] = Document.contentSecurityPolicy
        fields[.xContentTypeOptions] = "nosniff"
        if let name = HTTPField.Name("Referrer-Policy") { fields[name] = "no-referrer" }
    }

    /// Scripts and styles come from this service alone; pictures from anywhere. `style` attributes hold the cells' places,
    /// and ``HTMLAttribute`` writes numbers there and nothing else.
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "style-src-attr 'unsafe-inline'",
        "img-src http: https: data:", "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'",
        "form-action 'self'", "frame-ancestors 'none'",
    ].joined(separator: "; ")
}
