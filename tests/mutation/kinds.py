"""The kinds of mutation, all of them: bugs that the guide's restrictions name, and changes that only look like them.

In: a real unit, a source of chance, a name nobody else has. Out: edits of its texts, what they touch, and under which
rules a bug must be found; or nothing, where the unit has no place for the kind. Whether a mutant is what its kind says
is for nvcc to confirm.
"""

import bugs
import harmless
from places import KINDS, Mutant

__all__ = ["KINDS", "Mutant", "bugs", "harmless"]
