"""A history as a pandas frame, in one line."""

import os

from almanac_client import Almanac

print(Almanac(os.environ["ALMANAC_KEY"]).observations("USA", "cpi").to_pandas())
