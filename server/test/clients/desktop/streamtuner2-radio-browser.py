"""Streamtuner2's own channel for radio-browser, without its window: prints the categories, one's stations and what was tuned to."""

import contextlib
import json
import sys

sys.path.insert(0, "/usr/share/streamtuner2")
with contextlib.redirect_stdout(sys.stderr):
    import uikit  # noqa: F401  (its channels import each other in a circle unless this comes first)
    from config import conf
    from channels.radiobrowser import radiobrowser

    channel = radiobrowser(None)
    channel.status = lambda *progress: None
    conf.radiobrowser_cat = "tags"
    conf.radiobrowser_min = 1
    conf.max_streams = 50
    channel.update_categories()
    top = channel.update_streams("topvote")
    stations = channel.update_streams(sys.argv[1])
    played = next(row for row in stations if row["title"] == sys.argv[2])
    channel.click(played, channel)
    shelf = {"categories": channel.categories, "top": top, "stations": stations, "played": played}
json.dump(shelf, sys.stdout)
