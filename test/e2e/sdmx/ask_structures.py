"""Reads the structures and the availability of a running service with sdmx1 and pysdmx, unmodified. Writes what they give as JSON.

Argument: address of the service. The API key is in ALMANAC_KEY.
"""

import json
import logging
import os
import sys
import warnings

import requests
import sdmx
from message_schema import faults
from pysdmx.api.dc.rest import SdmxConnector

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

scheme, host = sys.argv[1].split("//")
signed = f"{scheme}//{os.environ['ALMANAC_KEY']}:@{host}/sdmx"


def client(name, version, **others):
    sdmx.add_source({"id": name, "url": f"{signed}/{version}", "name": name, **others})
    return sdmx.Client(name)


old = client("ALMANAC", "2.1")
new = client("ALMANAC_3", "3.0", versions=["3.0.0"])
connector = SdmxConnector(f"{signed}/3.0")


def error_of(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__} {error}"
    return None


def by_sdmx1():
    message = old.dataflow("INFLATION")
    structure = message.structure["DSD_INFLATION"]
    available = old.get(url=f"{signed}/2.1/availableconstraint/CPI/M.USA").constraint["AVAILABLE_CPI"]
    codes = {
        dimension.id: [selected.value for selected in selection.values]
        for dimension, selection in available.data_content_region[0].member.items()
        if dimension.id != "TIME_PERIOD"
    }
    return {
        "flows": list(old.dataflow().dataflow),
        "flows_of_3_0": list(new.dataflow(agency_id="ALMANAC").dataflow),
        "note": str(message.dataflow["INFLATION"].annotations[0].text),
        "dimensions": {one.id: one.local_representation.enumerated.id for one in structure.dimensions if one.id != "TIME_PERIOD"},
        "attributes": {one.id: type(one.related_to).__name__ for one in structure.attributes},
        "codelists": {id: list(items.items) for id, items in message.codelist.items()},
        "concepts": list(old.conceptscheme("CS_ALMANAC").concept_scheme["CS_ALMANAC"].items),
        "countries": len(old.codelist("CL_REF_AREA").codelist["CL_REF_AREA"].items),
        "structures": list(old.datastructure("DSD_CPI").structure),
        "available": codes,
        "preview": [str(key["UNIT_MEASURE"].value) for key in old.preview_data("CPI", {"REF_AREA": "USA"})],
        "missing": error_of(lambda: old.dataflow("NONE")),
        "unserved": error_of(lambda: old.agencyscheme()),
    }


def by_pysdmx():
    flow = connector.dataflow("Dataflow=ALMANAC:INFLATION(1.0)", "REF_AREA IN ('USA', 'DEU')")
    return {
        "flows": [one.id for one in connector.dataflows()],
        "codes": {one.id: [code.id for code in one.enumeration] for one in flow.structure.components if one.enumeration},
        "observations": flow.obs_count,
        "series": flow.series_count,
        "rows": len(list(connector.data("Dataflow=ALMANAC:INFLATION(1.0)", "REF_AREA IN ('USA', 'DEU')"))),
        "missing": error_of(lambda: connector.dataflow("Dataflow=ALMANAC:NONE(1.0)")),
    }


# What sdmx1, rsdmx, RJSDMX and sdmx-dl send, and the rest of what is served.
addresses = [
    "/2.1/dataflow/ALMANAC/all/latest",
    "/2.1/dataflow/all/all/latest/",
    "/2.1/dataflow/ALMANAC/CPI/latest?references=all",
    "/2.1/datastructure/all/DSD_CPI/latest/?references=children",
    "/2.1/datastructure/ALMANAC/DSD_CPI/1.0?references=descendants",
    "/2.1/codelist/ALMANAC/CL_UNIT_MEASURE/1.0",
    "/2.1/structure",
    "/2.1/structure?detail=allstubs",
    "/2.1/dataflow?detail=allcompletestubs",
    "/3.0/structure/dataflow/ALMANAC/*/+",
    "/2.1/availableconstraint/CPI",
    "/3.0/availability/dataflow/ALMANAC/GDP_VINTAGES/1.0?references=all",
    "/2.1/dataflow/ALMANAC/NONE",
    "/2.1/agencyscheme",
    "/2.1",
]

json.dump(
    {
        "sdmx1": by_sdmx1(),
        "pysdmx": by_pysdmx(),
        "faults": {one: faults(requests.get(signed + one, timeout=30).text) for one in addresses},
    },
    sys.stdout,
)
