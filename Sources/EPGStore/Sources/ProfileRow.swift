import EPGJSON
package import EPGModel
import EPGSearch
import GRDB

extension GuideStore {
    package func profiles() throws -> [Profile] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM profile ORDER BY name").map { row in
                let name: String = row["name"]
                do {
                    return try Profile(
                        name: name, document: row.bytes("document"),
                        limit: ParentalLimit(
                            maximumAge: row["maximum_age"], hiddenCategories: row.texts("hidden_categories")),
                        pinHash: row["pin_hash"], version: row["version"])
                } catch {
                    throw StoreError.damaged(
                        path: path, detail: "the profile “\(name.prefix(80))” is invalid: \(error)")
                }
            }
        }
    }

    package func saveProfile(_ profile: Profile) throws -> Profile {
        try write { database in
            let others = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM profile WHERE name <> ?", arguments: [profile.name])
            guard others ?? 0 < Profile.maximumCount else { throw ProfileError.tooMany }
            let saved = try profile.with(version: profile.version + 1)
            let arguments: [String: (any DatabaseValueConvertible)?] = [
                "name": saved.name, "document": String(decoding: saved.document, as: UTF8.self),
                "version": saved.version, "age": saved.limit.maximumAge,
                "categories": String(json: StoredDocument.texts(saved.limit.hiddenCategories)), "pin": saved.pinHash,
            ]
            try database.execute(
                sql: profile.version == 0
                    ? """
                    INSERT INTO profile (name, document, version, maximum_age, hidden_categories, pin_hash)
                    VALUES (:name, :document, :version, :age, :categories, :pin)
                    ON CONFLICT DO NOTHING
                    """
                    : """
                    UPDATE profile SET document = :document, version = :version, maximum_age = :age,
                        hidden_categories = :categories, pin_hash = :pin
                    WHERE name = :name AND version = :version - 1
                    """,
                arguments: StatementArguments(arguments))
            guard database.changesCount > 0 else { throw ProfileError.stale }
            return saved
        }
    }

    package func removeProfile(named name: String) throws -> Bool {
        try write { database in
            try database.execute(sql: "DELETE FROM profile WHERE name = ?", arguments: [name])
            return database.changesCount > 0
        }
    }
}
