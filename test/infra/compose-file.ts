import { type Config, loadConfig } from '../../infra/config.ts'
import { documentOf, readImage } from './container-files.ts'

export type ComposeService = {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly pull_policy?: string
  readonly stop_grace_period?: string
  readonly environment?: Readonly<Record<string, unknown>>
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly configs?: readonly { readonly source: string; readonly target: string }[]
}
type ComposeFile = {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly configs: Readonly<Record<string, { readonly content: string }>>
}

/** infra/compose.yaml as Compose takes it where no variable is set: `${VAR:-default}` is its default. */
export const readCompose = (): ComposeFile => substituted(documentOf('compose.yaml')) as ComposeFile

function substituted(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\$\{\w+(?::-([^}]*))?\}/g, (_whole, fallback = '') => fallback)
  if (Array.isArray(value)) return value.map(substituted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, substituted(inner)]))
}

/** An image without its tag or digest. */
export const repositoryOf = (image: string): string => image.replace(/[:@].*$/, '')

export const isOurs = ({ image }: ComposeService): boolean => repositoryOf(image) === 'almanac'

/** What a container of ours runs with: the image’s settings and the service’s own. */
export const configOf = (service: ComposeService): Config =>
  loadConfig({
    ...readImage().env,
    ...Object.fromEntries(Object.entries(service.environment ?? {}).map(([name, value]) => [name, String(value)])),
  })

/** Source and target of each mount, e.g. `./prometheus/rules.yaml` and `/etc/prometheus/rules.yaml`. */
export const mountsOf = ({ volumes = [] }: ComposeService): { source: string; target: string }[] =>
  volumes.map((volume) => {
    const [source = '', target = ''] = volume.split(':')
    return { source, target }
  })
