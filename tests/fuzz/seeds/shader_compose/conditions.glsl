#if defined(A) && !(B > 1 || C) 
#include "x"
#elif FILO_GL45
void vertex(){}
#else
#undef A
#endif
//! vertex
uniform float a, b[3];
