"""Reads the flows of a running service with sdmx1 and pysdmx, unmodified. Writes the observations that they give as JSON.

Arguments: address of the service, a day YYYY-MM-DD, ids of flows. The API key is in ALMANAC_KEY.
"""

import json
import logging
import os
import sys
import warnings

import requests
import sdmx
from lxml import etree
from message_schema import faults
from pysdmx.api.dc.rest import SdmxConnector
from pysdmx.io import read_sdmx

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

base, day, *flows = sys.argv[1:]
key = os.environ["ALMANAC_KEY"]
scheme, host = base.split("//")
# Both clients sign in with what stands in the address.
signed = f"{scheme}//{key}:@{host}"


def client(name, address):
    sdmx.add_source({"id": name, "url": f"{address}/sdmx/2.1", "name": name})
    return sdmx.Client(name)


def observations(message):
    """Key, time, value and attributes of each observation, with the texts of the message."""
    found = []
    for data_set in message.data:
        for observation in data_set.obs:
            key = {id: str(value.value) for id, value in observation.key.values.items()}
            attributes = {id: str(value.value) for id, value in observation.attrib.items()}
            found.append({**key, **attributes, "OBS_VALUE": observation.value})
    return found


now = client("ALMANAC", signed)
then = client("ALMANAC_THEN", f"{signed}/asof/{day}")
current = SdmxConnector(f"{signed}/sdmx/3.0")


def structure_of(flow):
    return now.dataflow(flow).structure[f"DSD_{flow}"]


def asked(flow):
    """The flow since 2020 as sdmx1 and pysdmx read it, and all vintages of a country."""
    return {
        "generic": observations(now.data(flow, params={"startPeriod": "2020"})),
        "csv": list(current.data(f"Dataflow=ALMANAC:{flow}(1.0)", "TIME_PERIOD >= '2020'")),
        "vintages": observations(now.data(f"{flow}_VINTAGES", key={"REF_AREA": "USA"})),
    }


def fetched(address, media_type):
    answer = requests.get(f"{signed}{address}", headers={"Accept": media_type}, timeout=30)
    answer.raise_for_status()
    return answer.text


GENERIC = "application/vnd.sdmx.genericdata+xml;version=2.1"
SPECIFIC = "application/vnd.sdmx.structurespecificdata+xml;version=2.1"


queries = [
    ("INFLATION", "/M.USA?startPeriod=2024"),
    ("GDP", "/Q.USA?startPeriod=2015&includeHistory=true"),
    ("UNEMPLOYMENT_VINTAGES", "/M.USA?startPeriod=2024"),
    ("CPI", "?detail=serieskeysonly&startPeriod=2025"),
    ("CPI", "/M.USA?detail=nodata"),
    ("GDP_GROWTH", "/Q.USA?dimensionAtObservation=AllDimensions&startPeriod=2024"),
]


def faults_by_query():
    found = {}
    for flow, rest in queries:
        address = f"/sdmx/2.1/data/{flow}{rest}"
        found[f"generic {address}"] = faults(fetched(address, GENERIC))
        found[f"specific {address}"] = faults(fetched(address, SPECIFIC), structure_of(flow))
    return found


def history():
    """Days, action, period and value of each observation, as clients that follow revisions read them."""
    message = etree.fromstring(fetched("/sdmx/2.1/data/GDP/Q.USA?includeHistory=true", SPECIFIC).encode())
    for data_set in message.iter("{*}DataSet"):
        days = {etree.QName(name).localname: value for name, value in data_set.attrib.items()}
        for one in data_set.iter("Obs"):
            value = [one.get("TIME_PERIOD"), one.get("OBS_VALUE")]
            yield [days["validFromDate"], days["validToDate"], days["action"], *value]


def read_by_pysdmx(version):
    text = fetched("/sdmx/2.1/data/GDP_GROWTH/Q.USA", f"application/vnd.sdmx.data+csv;version={version}")
    return read_sdmx(text).data[0].data.astype(str)[["MEASURE", "TIME_PERIOD", "OBS_VALUE"]].to_numpy().tolist()


json.dump(
    {
        "flows": {flow: asked(flow) for flow in flows},
        "specific": observations(now.data("GDP", dsd=structure_of("GDP"), params={"startPeriod": "2020"})),
        "as_of": observations(then.data("GDP")),
        "faults": faults_by_query(),
        "history": list(history()),
        "read_by_pysdmx": [read_by_pysdmx("1.0.0"), read_by_pysdmx("2.0.0")],
    },
    sys.stdout,
)
