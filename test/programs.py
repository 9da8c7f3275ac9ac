"""Runs the programs whose files it reads as lines, each as if it was started alone. Answers each with a line of JSON."""

import contextlib
import io
import json
import os
import runpy
import sys
import traceback

for line in sys.stdin:
    file = line.rstrip("\n")
    os.chdir(os.path.dirname(file))
    output = io.StringIO()
    failed = False
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            runpy.run_path(file, run_name="__main__")
        except SystemExit as end:
            failed = end.code not in (None, 0)
            print(end.code)
        except BaseException:
            failed = True
            traceback.print_exc()
    print(json.dumps({"failed": failed, "output": output.getvalue()}), flush=True)
