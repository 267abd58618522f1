// libexpat, the oracle of the XML reader's tests. The programs don't link it.
#include <expat.h>
