/// The shape of cron expressions, without what they mean.
package enum ScheduleShape {
    /// What is wrong with an expression; `nil` for five fields of cron's characters, or a name such as `@daily`.
    ///
    /// Blanks and tabs stand between fields (crontab(5)).
    package static func fault(of text: String) -> String? {
        if text.hasPrefix("@") {
            return names.contains(text) ? nil : "“\(text.prefix(80))” isn't one of cron's names"
        }
        let fields = text.split { $0 == " " || $0 == "\t" }
        guard fields.count == 5 else {
            return "“\(text.prefix(80))” has \(fields.count) field\(fields.count == 1 ? "" : "s"), not five"
        }
        for field in fields {
            let isField = field.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "*"), UInt8(ascii: "/"), UInt8(ascii: ","),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
            guard isField else { return "“\(field.prefix(80))” can't be a field of a cron expression" }
        }
        return nil
    }

    private static let names: Set = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]
}
