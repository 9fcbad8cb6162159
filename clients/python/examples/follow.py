"""Every release and revision of output, such as GDP. End it and start it again: it continues where it was."""

import os

from almanac_client import Almanac, FileCursor

almanac = Almanac(os.environ["ALMANAC_KEY"])
for event in almanac.events(families=["output"], cursor="earliest", store=FileCursor("events-cursor")):
    print(event.subject, event.data, flush=True)
