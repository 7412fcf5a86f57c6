"""Streamtuner2's own channel for this directory, without its window: prints the categories, then one's stations."""

import contextlib
import json
import sys

sys.path.insert(0, "/usr/share/streamtuner2")
with contextlib.redirect_stdout(sys.stderr):
    import uikit  # noqa: F401  (its channels import each other in a circle unless this comes first)
    from config import conf
    from channels.tunein import tunein

    channel = tunein(None)
    channel.status = lambda *progress: None
    conf.radiotime_group = "music"
    channel.update_categories()
    stations = channel.update_streams(sys.argv[1])
    shelf = {"categories": channel.categories, "stations": stations}
json.dump(shelf, sys.stdout)
