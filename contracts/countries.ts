/**
 * The countries of ISO 3166-1 with their codes. Areas that are no country, such as a union or an aggregate, are not
 * listed.
 */
type Country = {
  /** The code that the product uses. */
  readonly alpha3: string
  readonly alpha2: string
  /** Three digits, also the UN's M49 code. */
  readonly numeric: string
  /** English name, most of them short ones of the Unicode CLDR. */
  readonly name: string
}

/** Source: the data package country-codes of datasets on GitHub (ODC Public Domain Dedication and Licence 1.0). */
const table = `
ABW AW 533 Aruba
AFG AF 004 Afghanistan
AGO AO 024 Angola
AIA AI 660 Anguilla
ALA AX 248 Åland Islands
ALB AL 008 Albania
AND AD 020 Andorra
ARE AE 784 United Arab Emirates
ARG AR 032 Argentina
ARM AM 051 Armenia
ASM AS 016 American Samoa
ATA AQ 010 Antarctica
ATF TF 260 French Southern Territories
ATG AG 028 Antigua & Barbuda
AUS AU 036 Australia
AUT AT 040 Austria
AZE AZ 031 Azerbaijan
BDI BI 108 Burundi
BEL BE 056 Belgium
BEN BJ 204 Benin
BES BQ 535 Caribbean Netherlands
BFA BF 854 Burkina Faso
BGD BD 050 Bangladesh
BGR BG 100 Bulgaria
BHR BH 048 Bahrain
BHS BS 044 Bahamas
BIH BA 070 Bosnia
BLM BL 652 St. Barthélemy
BLR BY 112 Belarus
BLZ BZ 084 Belize
BMU BM 060 Bermuda
BOL BO 068 Bolivia
BRA BR 076 Brazil
BRB BB 052 Barbados
BRN BN 096 Brunei
BTN BT 064 Bhutan
BVT BV 074 Bouvet Island
BWA BW 072 Botswana
CAF CF 140 Central African Republic
CAN CA 124 Canada
CCK CC 166 Cocos Islands
CHE CH 756 Switzerland
CHL CL 152 Chile
CHN CN 156 China
CIV CI 384 Côte d’Ivoire
CMR CM 120 Cameroon
COD CD 180 Congo - Kinshasa
COG CG 178 Congo - Brazzaville
COK CK 184 Cook Islands
COL CO 170 Colombia
COM KM 174 Comoros
CPV CV 132 Cape Verde
CRI CR 188 Costa Rica
CUB CU 192 Cuba
CUW CW 531 Curaçao
CXR CX 162 Christmas Island
CYM KY 136 Cayman Islands
CYP CY 196 Cyprus
CZE CZ 203 Czechia
DEU DE 276 Germany
DJI DJ 262 Djibouti
DMA DM 212 Dominica
DNK DK 208 Denmark
DOM DO 214 Dominican Republic
DZA DZ 012 Algeria
ECU EC 218 Ecuador
EGY EG 818 Egypt
ERI ER 232 Eritrea
ESH EH 732 Western Sahara
ESP ES 724 Spain
EST EE 233 Estonia
ETH ET 231 Ethiopia
FIN FI 246 Finland
FJI FJ 242 Fiji
FLK FK 238 Falkland Islands
FRA FR 250 France
FRO FO 234 Faroe Islands
FSM FM 583 Micronesia
GAB GA 266 Gabon
GBR GB 826 United Kingdom
GEO GE 268 Georgia
GGY GG 831 Guernsey
GHA GH 288 Ghana
GIB GI 292 Gibraltar
GIN GN 324 Guinea
GLP GP 312 Guadeloupe
GMB GM 270 Gambia
GNB GW 624 Guinea-Bissau
GNQ GQ 226 Equatorial Guinea
GRC GR 300 Greece
GRD GD 308 Grenada
GRL GL 304 Greenland
GTM GT 320 Guatemala
GUF GF 254 French Guiana
GUM GU 316 Guam
GUY GY 328 Guyana
HKG HK 344 Hong Kong
HMD HM 334 Heard & McDonald Islands
HND HN 340 Honduras
HRV HR 191 Croatia
HTI HT 332 Haiti
HUN HU 348 Hungary
IDN ID 360 Indonesia
IMN IM 833 Isle of Man
IND IN 356 India
IOT IO 086 British Indian Ocean Territory
IRL IE 372 Ireland
IRN IR 364 Iran
IRQ IQ 368 Iraq
ISL IS 352 Iceland
ISR IL 376 Israel
ITA IT 380 Italy
JAM JM 388 Jamaica
JEY JE 832 Jersey
JOR JO 400 Jordan
JPN JP 392 Japan
KAZ KZ 398 Kazakhstan
KEN KE 404 Kenya
KGZ KG 417 Kyrgyzstan
KHM KH 116 Cambodia
KIR KI 296 Kiribati
KNA KN 659 St. Kitts & Nevis
KOR KR 410 South Korea
KWT KW 414 Kuwait
LAO LA 418 Laos
LBN LB 422 Lebanon
LBR LR 430 Liberia
LBY LY 434 Libya
LCA LC 662 St. Lucia
LIE LI 438 Liechtenstein
LKA LK 144 Sri Lanka
LSO LS 426 Lesotho
LTU LT 440 Lithuania
LUX LU 442 Luxembourg
LVA LV 428 Latvia
MAC MO 446 Macao
MAF MF 663 St. Martin
MAR MA 504 Morocco
MCO MC 492 Monaco
MDA MD 498 Moldova
MDG MG 450 Madagascar
MDV MV 462 Maldives
MEX MX 484 Mexico
MHL MH 584 Marshall Islands
MKD MK 807 North Macedonia
MLI ML 466 Mali
MLT MT 470 Malta
MMR MM 104 Myanmar
MNE ME 499 Montenegro
MNG MN 496 Mongolia
MNP MP 580 Northern Mariana Islands
MOZ MZ 508 Mozambique
MRT MR 478 Mauritania
MSR MS 500 Montserrat
MTQ MQ 474 Martinique
MUS MU 480 Mauritius
MWI MW 454 Malawi
MYS MY 458 Malaysia
MYT YT 175 Mayotte
NAM NA 516 Namibia
NCL NC 540 New Caledonia
NER NE 562 Niger
NFK NF 574 Norfolk Island
NGA NG 566 Nigeria
NIC NI 558 Nicaragua
NIU NU 570 Niue
NLD NL 528 Netherlands
NOR NO 578 Norway
NPL NP 524 Nepal
NRU NR 520 Nauru
NZL NZ 554 New Zealand
OMN OM 512 Oman
PAK PK 586 Pakistan
PAN PA 591 Panama
PCN PN 612 Pitcairn
PER PE 604 Peru
PHL PH 608 Philippines
PLW PW 585 Palau
PNG PG 598 Papua New Guinea
POL PL 616 Poland
PRI PR 630 Puerto Rico
PRK KP 408 North Korea
PRT PT 620 Portugal
PRY PY 600 Paraguay
PSE PS 275 Palestine
PYF PF 258 French Polynesia
QAT QA 634 Qatar
REU RE 638 Réunion
ROU RO 642 Romania
RUS RU 643 Russia
RWA RW 646 Rwanda
SAU SA 682 Saudi Arabia
SDN SD 729 Sudan
SEN SN 686 Senegal
SGP SG 702 Singapore
SGS GS 239 South Georgia & South Sandwich Islands
SHN SH 654 St. Helena
SJM SJ 744 Svalbard & Jan Mayen
SLB SB 090 Solomon Islands
SLE SL 694 Sierra Leone
SLV SV 222 El Salvador
SMR SM 674 San Marino
SOM SO 706 Somalia
SPM PM 666 St. Pierre & Miquelon
SRB RS 688 Serbia
SSD SS 728 South Sudan
STP ST 678 São Tomé & Príncipe
SUR SR 740 Suriname
SVK SK 703 Slovakia
SVN SI 705 Slovenia
SWE SE 752 Sweden
SWZ SZ 748 Eswatini
SXM SX 534 Sint Maarten
SYC SC 690 Seychelles
SYR SY 760 Syria
TCA TC 796 Turks & Caicos Islands
TCD TD 148 Chad
TGO TG 768 Togo
THA TH 764 Thailand
TJK TJ 762 Tajikistan
TKL TK 772 Tokelau
TKM TM 795 Turkmenistan
TLS TL 626 Timor-Leste
TON TO 776 Tonga
TTO TT 780 Trinidad & Tobago
TUN TN 788 Tunisia
TUR TR 792 Türkiye
TUV TV 798 Tuvalu
TWN TW 158 Taiwan
TZA TZ 834 Tanzania
UGA UG 800 Uganda
UKR UA 804 Ukraine
UMI UM 581 U.S. Outlying Islands
URY UY 858 Uruguay
USA US 840 United States
UZB UZ 860 Uzbekistan
VAT VA 336 Vatican City
VCT VC 670 St. Vincent & Grenadines
VEN VE 862 Venezuela
VGB VG 092 British Virgin Islands
VIR VI 850 U.S. Virgin Islands
VNM VN 704 Vietnam
VUT VU 548 Vanuatu
WLF WF 876 Wallis & Futuna
WSM WS 882 Samoa
YEM YE 887 Yemen
ZAF ZA 710 South Africa
ZMB ZM 894 Zambia
ZWE ZW 716 Zimbabwe
`

export const countries: readonly Country[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [alpha3 = '', alpha2 = '', numeric = '', ...name] = line.split(' ')
    return { alpha3, alpha2, numeric, name: name.join(' ') }
  })

const by = (member: keyof Country): ReadonlyMap<string, Country> => new Map(countries.map((c) => [c[member], c]))

export const countryByAlpha3 = by('alpha3')
export const countryByAlpha2 = by('alpha2')
export const countryByNumeric = by('numeric')
export const countryByName = by('name')
