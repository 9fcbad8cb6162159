/**
 * The World Bank's two-letter codes of areas outside ISO 3166-1: its regions, income groups and unions, the
 * Channel Islands (JG) and Kosovo (XK). Source: https://api.worldbank.org/v2/country?format=json (CC BY 4.0).
 */
export const worldBankAggregates: ReadonlySet<string> = new Set(
  `
1A 1W 4E 6F 6N 6X 7E 8S A4 A5 A9 B1 B2 B3 B4 B6 B7 B8 C4 C5 C6 C7 C8 C9 D2 D3 D4 D5 D6 D7 EU F1 F6 M1 M2 N6 OE R6
S1 S2 S3 S4 T2 T3 T4 T5 T6 T7 V1 V2 V3 V4 XC XD XE XF XG XH XI XJ XL XM XN XO XP XQ XT XU XY Z4 Z7 ZB ZF ZG ZH ZI ZJ
ZQ ZT JG XK
`
    .trim()
    .split(/\s+/),
)

/**
 * The codes of the same areas in CSV downloads, with those of the Channel Islands and Kosovo.
 * Source: https://api.worldbank.org/v2/country?format=json (CC BY 4.0).
 */
export const downloadAggregates: ReadonlySet<string> = new Set(
  `
AFE AFW ARB CEB CHI CSS EAP EAR EAS ECA ECS EMU EUU FCS HIC HPC IBD IBT IDA IDB IDX INX LAC LCN LDC LIC LMC LMY LTE MEA
MIC MNA NAC OED OSS PRE PSS PST SAS SSA SSF SST TEA TEC TLA TMN TSA TSS UMC WLD XKX
`
    .trim()
    .split(/\s+/),
)
