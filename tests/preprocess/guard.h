/* a comment */
#ifndef GUARD_H
#define GUARD_H
guarded WHERE
#endif
