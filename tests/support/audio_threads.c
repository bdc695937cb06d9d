// The thread sanitizer does not see how the threads of OpenAL, and of what it plays with, synchronise.

__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) {
    return "race:libopenal.so\n"
           "race:libpulse\n";
}
