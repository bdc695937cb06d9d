// A value as a JSON file in the user's folder of the game (filo_app_user_path): settings, scores.

#ifndef SHARED_USER_FILE_H
#define SHARED_USER_FILE_H

#include <filo/filo.h>

// Writes the file. Failures are logged.
void user_file_write(const FiloApp *app, const char *file, const FiloType *type, const void *value);
// Reads it into `value`, of which fields that the file does not have stay as they are. A file that is missing changes
// nothing; neither does a broken one, which is logged.
void user_file_read(const FiloApp *app, const char *file, const FiloType *type, void *value);

#endif
