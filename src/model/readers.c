// Formats whose reader is not in this build.

#include "model/model.h"

FiloResult model_obj_decode(ModelReader *reader) {
    return filo_error(FILO_ERROR_UNSUPPORTED, "%s: this build cannot read OBJ", reader->name);
}
