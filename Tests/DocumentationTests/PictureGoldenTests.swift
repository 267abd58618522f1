import CollectionLayout
import Testing

@testable import EPGRender

/// The pictures of the documentation are what the program draws; `make goldens` renews them.
@Suite struct PictureGoldenTests {
    @Test(arguments: Picture.all) func pictureIsWhatWasAccepted(_ picture: Picture) throws {
        for (ending, theme) in SVGTheme.byEnding {
            try DocumentationCatalogue.expect(try picture.draw(theme), of: picture.name, ending: ending)
        }
    }
}
