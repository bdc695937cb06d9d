"""What programs of this build are started with: nothing, or an emulator where they are for another processor."""

import os
import shlex

EMULATOR = shlex.split(os.environ.get("FILO_TEST_EMULATOR", ""))
PATIENCE = 10 if EMULATOR else 1  # times as long as usual
