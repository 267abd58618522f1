package import CollectionLayout

/// An index path, in short: tests name many.
package func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(section: section, item: item) }
