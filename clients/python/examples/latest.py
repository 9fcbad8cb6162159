"""The latest consumer price index of a country."""

import os

from almanac_client import Almanac

almanac = Almanac(os.environ["ALMANAC_KEY"])
cpi = almanac.rest.economics_get_cpi("USA")
print(cpi.period, cpi.value)
