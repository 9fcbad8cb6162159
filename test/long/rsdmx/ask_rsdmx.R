# Reads flows, structures and data of a service with the R package rsdmx, and prints what it got as lines "name<TAB>value".
suppressPackageStartupMessages(library(rsdmx))

arguments <- commandArgs(trailingOnly = TRUE)
base <- arguments[1]
# rsdmx takes a key in the address only.
base <- sub("//", paste0("//key:", Sys.getenv("ALMANAC_KEY"), "@"), base, fixed = TRUE)
tell <- function(name, values) cat(name, "\t", paste(values, collapse = " "), "\n", sep = "")

builder <- SDMXREST21RequestBuilder(regUrl = base, repoUrl = base, compliant = TRUE)
addSDMXServiceProvider(SDMXServiceProvider(agencyId = "ALMANAC", name = "Almanac", builder = builder))
read <- function(...) suppressWarnings(readSDMX(providerId = "ALMANAC", logger = NULL, ...))

tell("flows", as.data.frame(read(resource = "dataflow"))$id)

structures <- read(resource = "datastructure", resourceId = "DSD_CPI")
tell("codelists", sapply(slot(slot(structures, "codelists"), "codelists"), function(list) slot(list, "id")))
tell("frequencies", as.data.frame(slot(structures, "codelists"), codelistId = "CL_FREQ")$id)

data <- read(resource = "data", flowRef = "CPI", key = "M.USA", start = "2023-11", end = "2024-02", dsd = TRUE)
frame <- suppressWarnings(as.data.frame(data, labels = TRUE))
tell("columns", names(frame))
tell("country", unique(frame$REF_AREA_label.en))
tell("periods", frame$obsTime)
tell("values", frame$obsValue)
