// What the sanitizers must not report of libraries for sound.

// The thread sanitizer does not see how the threads of OpenAL, and of what it plays with, synchronise.
__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) {
    return "race:libopenal.so\n"
           "race:libpulse\n";
}

// libsndfile 1.2.0 does not free what its decoders allocated for some files that it refuses.
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libvorbis\n"
           "leak:libsndfile\n";
}
