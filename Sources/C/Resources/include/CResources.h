// Text files of other modules, embedded in the programs. Each is UTF-8 with a final NUL and lives as long as the program.
#ifndef CRESOURCES_H
#define CRESOURCES_H

/// The example configuration (EPGConfig).
const char *cresources_example_yml(void);
/// The table of genres (EPGOutput).
const char *cresources_genres_txt(void);
/// The schema of a guide (schema.sql of the package).
const char *cresources_schema_sql(void);

#endif
