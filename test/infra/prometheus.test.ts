import { readdirSync } from 'node:fs'
import { Histogram } from 'prom-client'
import { describe, expect, it } from 'vitest'
import {
  measureBackup,
  measureCalendar,
  measureConnections,
  measureDisk,
  measureEndings,
  measureHealth,
  measureRequests,
  measureStreams,
  newRegistry,
} from '../../cli/processes/metrics.ts'
import {
  countArchiveRetries,
  measureArchive,
  measureIngest,
  measureJobs,
  measureJournal,
  measureProcessors,
  measureProjections,
  measureSources,
} from '../../cli/processes/pipeline-metrics.ts'
import { adminAddresses } from '../../infra/admin-addresses.ts'
import { configOf, isOurs, mountsOf, readCompose } from './compose-file.ts'
import { documentOf, infra, textOf } from './container-files.ts'

type Scrape = {
  readonly job_name: string
  readonly authorization: { readonly type: string; readonly credentials_file: string }
  readonly static_configs: readonly { readonly targets: readonly string[] }[]
  readonly relabel_configs: readonly { readonly target_label: string }[]
}
type Alert = {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}
type Panel = {
  readonly id: number
  readonly title: string
  readonly datasource: { readonly type: string; readonly uid: string }
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
}

const prometheus = documentOf<{ rule_files: string[]; scrape_configs: Scrape[] }>('prometheus/prometheus.yaml')
const rules = documentOf<{ groups: { name: string; rules: Alert[] }[] }>('prometheus/rules.yaml')
const dashboard = JSON.parse(textOf('grafana/almanac.json')) as {
  readonly uid: string
  readonly panels: readonly Panel[]
}
const scrape = prometheus.scrape_configs[0]!
const alerts = rules.groups.flatMap((group) => group.rules)
const compose = readCompose()

/** Where the image looks for its configuration; files that this names are relative to it. */
const CONFIG_DIR = '/etc/prometheus/'

describe('prometheus.yaml', () => {
  it('is where the container looks for it, with every file beside it', () => {
    const mounts = mountsOf(compose.services.prometheus!).filter(({ source }) => source.startsWith('./'))
    expect(mounts).toContainEqual({ source: './prometheus/prometheus.yaml', target: `${CONFIG_DIR}prometheus.yml` })
    for (const file of prometheus.rule_files) {
      expect(mounts).toContainEqual({ source: `./prometheus/${file}`, target: CONFIG_DIR + file })
    }
    expect(readdirSync(`${infra}prometheus`).sort()).toEqual(['prometheus.yaml', ...prometheus.rule_files].sort())
  })

  it('asks every service of ours on its admin port, with the token', () => {
    expect(prometheus.scrape_configs).toHaveLength(1)
    const ports = Object.entries(compose.services)
      .filter(([, service]) => isOurs(service))
      .flatMap(([name, service]) => {
        const { admin, roles } = configOf(service)
        return adminAddresses(admin, roles).map((address) => `${name}:${new URL(address).port}`)
      })
    expect(scrape.static_configs.flatMap(({ targets }) => targets).sort()).toEqual(ports.sort())
    expect(compose.services.prometheus?.configs).toEqual([
      { source: 'admin-token', target: scrape.authorization.credentials_file },
    ])
    expect(scrape.authorization.type).toBe('Bearer')
  })
})

describe('rules.yaml', () => {
  it('names each group and each alert once', () => {
    for (const names of [rules.groups.map(({ name }) => name), alerts.map(({ alert }) => alert)]) {
      expect(names).toEqual([...new Set(names)])
      expect(names).not.toEqual([])
    }
  })

  it.each(alerts.map((alert) => [alert.alert, alert] as const))(
    '%s says what, after how long, how bad',
    (_name, alert) => {
      expect(Object.keys(alert).sort()).toEqual(['alert', 'annotations', 'expr', 'for', 'labels'])
      expect(alert.for).toMatch(/^[1-9]\d*[smh]$/)
      expect(alert.labels).toEqual({ severity: expect.stringMatching(/^(critical|warning)$/) })
      expect(alert.annotations).toEqual({ summary: expect.stringMatching(/\S/) })
      const told = [...alert.annotations.summary!.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label)
      expect(told.filter((label) => !resultLabels(alert.expr).has(label!))).toEqual([])
    },
  )
})

describe('the dashboard', () => {
  const { grafana } = compose.services

  it('is where Grafana is told to look for it, and asks the Prometheus of the file', () => {
    type Providers = { providers: { options: { path: string } }[] }
    type Sources = { datasources: { uid: string; type: string; url: string }[] }
    const [provider] = documentOf<Providers>('grafana/provisioning/dashboards/almanac.yaml').providers
    const { datasources } = documentOf<Sources>('grafana/provisioning/datasources/prometheus.yaml')
    expect(mountsOf(grafana!)).toContainEqual({
      source: './grafana/almanac.json',
      target: `${provider?.options.path}/almanac.json`,
    })
    expect(mountsOf(grafana!)).toContainEqual({ source: './grafana/provisioning', target: '/etc/grafana/provisioning' })
    expect(datasources.map(({ url }) => url)).toEqual(['http://prometheus:9090'])
    expect(compose.services).toHaveProperty('prometheus')
    const [{ uid, type }] = datasources as [Sources['datasources'][0]]
    for (const { datasource, title } of dashboard.panels) expect(datasource, title).toEqual({ type, uid })
  })

  it('has panels that show something, each with a number of its own', () => {
    const ids = dashboard.panels.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
    for (const { title, targets } of dashboard.panels) {
      expect(targets, title).not.toEqual([])
      for (const { expr, legendFormat } of targets) {
        const told = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label)
        expect(told.filter((label) => !resultLabels(expr).has(label!))).toEqual([])
      }
    }
  })
})

const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

describe.each([...new Set([...alerts.map(({ expr }) => expr), ...shown])])('the expression %s', (expr) => {
  it('is of metrics and labels that there are', () => {
    const names = namesIn(expr)
    expect(names).not.toEqual([])
    expect(names.filter((name) => labelsOf(name) === undefined)).toEqual([])
    const labels = new Set(names.flatMap((name) => labelsOf(name) ?? []))
    const selected = [...expr.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label)
    expect([...selected, ...grouped(expr)].filter((label) => !labels.has(label!))).toEqual([])
    const jobs = [...expr.matchAll(/\bjob="(.+?)"/g)].map(([, job]) => job)
    expect(jobs.filter((job) => job !== scrape.job_name)).toEqual([])
  })
})

it('every metric of ours is on the dashboard', () => {
  const used = new Set(shown.flatMap((expr) => namesIn(expr).map((name) => answered().get(name)?.metric)))
  const own = [...answered().values()].filter(({ metric }) => metric.startsWith('almanac_'))
  expect(own.filter(({ metric }) => !used.has(metric))).toEqual([])
})

/** What Prometheus itself adds to every series that it scrapes. */
const scraped = ['job', 'instance', ...scrape.relabel_configs.map((relabel) => relabel.target_label)]

/** The metrics that an expression names: what is neither a function nor in a selector, a range or a list of labels. */
function namesIn(expr: string): string[] {
  const bare = expr.replaceAll(/"[^"]*"|\{[^}]*\}|\[[^\]]*\]|\b(?:by|without)\s*\([^)]*\)/g, ' ')
  return bare.match(/\b[a-zA-Z_:][\w:]*\b(?!\s*\()/g) ?? []
}

const grouped = (expr: string): string[] =>
  [...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/))

/** The labels that what an expression yields still has. */
function resultLabels(expr: string): ReadonlySet<string> {
  const isAggregate = /^(?:sum|min|max|avg|count)\b/.test(expr)
  const [, by] = /^\w+ by \(([^)]*)\)/.exec(expr) ?? []
  if (isAggregate) return new Set(by?.split(/,\s*/) ?? [])
  if (/^(?:absent|histogram_quantile|time)\(/.test(expr)) return new Set()
  return new Set(namesIn(expr).flatMap((name) => labelsOf(name) ?? []))
}

/** Undefined: no process answers a series of that name. */
function labelsOf(name: string): readonly string[] | undefined {
  const own = name === 'up' ? [] : answered().get(name)?.labels
  return own && [...own, ...scraped]
}

type Series = { readonly metric: string; readonly labels: readonly string[] }

/** Metric and labels of every series that a process with all roles answers on `/metrics`, by the name of the series. */
function answered(): ReadonlyMap<string, Series> {
  series ??= measured()
  return series
}
let series: ReadonlyMap<string, Series> | undefined

function measured(): ReadonlyMap<string, Series> {
  const registry = newRegistry()
  const journal = { bounds: async () => ({ start: 0, end: 0 }) }
  measureRequests({ addHook: () => undefined } as never, registry)
  measureJournal(journal, registry)
  measureProcessors(journal, registry)
  measureProjections({ all: [], userLags: async () => [] }, registry)
  countArchiveRetries(registry)
  measureArchive({ lags: async () => [], sealedAt: undefined }, registry)
  measureBackup(async () => undefined, registry)
  measureDisk('.', registry)
  measureIngest(registry)
  measureSources(registry)
  measureJobs({ list: async () => [] }, registry)
  measureHealth(() => undefined as never, registry)
  measureCalendar(() => [], registry)
  measureStreams({ open: () => 0 }, registry)
  measureEndings(registry)
  measureConnections('http', () => 0, registry)
  const metrics = registry.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[]
  return new Map(metrics.flatMap(seriesOf))
}

function seriesOf(metric: { readonly name: string; readonly labelNames: readonly string[] }): [string, Series][] {
  const { name, labelNames: labels } = metric
  if (!(metric instanceof Histogram)) return [[name, { metric: name, labels }]]
  return [
    [`${name}_bucket`, { metric: name, labels: [...labels, 'le'] }],
    [`${name}_count`, { metric: name, labels }],
    [`${name}_sum`, { metric: name, labels }],
  ]
}
