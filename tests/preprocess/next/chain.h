first_chain
#include_next <chain.h>
