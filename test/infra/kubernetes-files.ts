import { globSync } from 'node:fs'
import { type Config, loadConfig } from '../../infra/config.ts'
import { documentOf, documentsOf, infra, readImage, textOf } from './container-files.ts'

export type Labels = Readonly<Record<string, string>>
type Port = { readonly name: string; readonly containerPort: number }
export type Container = {
  readonly image: string
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: ValueFrom }[]
  readonly envFrom?: readonly { readonly configMapRef?: { name: string }; readonly secretRef?: { name: string } }[]
  readonly ports: readonly Port[]
  readonly startupProbe?: unknown
  readonly readinessProbe?: unknown
  readonly livenessProbe?: unknown
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } }
  readonly resources?: { readonly requests?: { readonly cpu?: string; readonly memory?: string } }
  readonly securityContext?: { readonly readOnlyRootFilesystem?: boolean }
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[]
}
type ValueFrom = {
  readonly configMapKeyRef?: { readonly name: string; readonly key: string }
  readonly secretKeyRef?: { readonly name: string; readonly key: string }
}
export type PodSpec = {
  readonly enableServiceLinks?: boolean
  readonly terminationGracePeriodSeconds?: number
  readonly securityContext?: { readonly runAsNonRoot?: boolean; readonly runAsUser?: number }
  readonly topologySpreadConstraints?: readonly { readonly labelSelector: { readonly matchLabels: Labels } }[]
  readonly containers: readonly Container[]
  readonly volumes?: readonly { readonly name: string; readonly emptyDir?: object }[]
}
type Resource<K extends string, S> = {
  readonly apiVersion: string
  readonly kind: K
  readonly metadata: { readonly name: string }
  readonly spec: S
}
type Selector = { readonly matchLabels: Labels }
export type Deployment = Resource<
  'Deployment',
  {
    readonly replicas: number
    readonly selector: Selector
    readonly strategy?: { readonly rollingUpdate?: { readonly maxSurge: number; readonly maxUnavailable: number } }
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec }
  }
>
export type Service = Resource<
  'Service',
  {
    readonly selector: Labels
    readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[]
  }
>
export type Budget = Resource<'PodDisruptionBudget', { readonly minAvailable: number; readonly selector: Selector }>
export type ConfigMap = Resource<'ConfigMap', undefined> & { readonly data: Readonly<Record<string, string>> }
export type AnyResource = Deployment | Service | Budget | ConfigMap

type Kustomization = { readonly resources: readonly string[]; readonly images: readonly { readonly name: string }[] }
export const kustomization = documentOf<Kustomization>('kubernetes/kustomization.yaml')
export const resourceFiles = globSync('*.yaml', { cwd: `${infra}kubernetes` })
  .filter((file) => file !== 'kustomization.yaml')
  .sort()
export const resources = resourceFiles.flatMap((file) => documentsOf<AnyResource>(`kubernetes/${file}`))

const ofKind = <R extends AnyResource>(kind: R['kind']) =>
  resources.filter((resource): resource is R => resource.kind === kind)
export const deployments = ofKind<Deployment>('Deployment')
export const services = ofKind<Service>('Service')
export const budgets = ofKind<Budget>('PodDisruptionBudget')
export const configMaps = ofKind<ConfigMap>('ConfigMap')

export const labelsOf = ({ spec }: Deployment): Labels => spec.template.metadata.labels
export const podOf = ({ spec }: Deployment): PodSpec => spec.template.spec
export const containerOf = (deployment: Deployment): Container => podOf(deployment).containers[0]!

export const selects = (wanted: Labels, labels: Labels): boolean =>
  Object.entries(wanted).length > 0 && Object.entries(wanted).every(([name, value]) => labels[name] === value)

/** The Secret is the user’s: its keys and examples of its values are those that config.yaml tells them to make it of. */
export const secret: Readonly<Record<string, string>> = Object.fromEntries(
  [...textOf('kubernetes/config.yaml').matchAll(/^#.*--from-literal=(\w+)=(\S+)/gm)].map(([, name, value]) => [
    name,
    value,
  ]),
)
export const secretName = /^#.*kubectl create secret generic (\S+)/m.exec(textOf('kubernetes/config.yaml'))?.[1]

/** Throws where nothing in the files has that name, or no such key. */
function dataOf(kind: 'ConfigMap' | 'Secret', name: string): Readonly<Record<string, string>> {
  const data =
    kind === 'Secret'
      ? { [String(secretName)]: secret }[name]
      : configMaps.find((map) => map.metadata.name === name)?.data
  if (data === undefined) throw new Error(`there is no ${kind} ${name}`)
  return data
}

function referredTo({ configMapKeyRef, secretKeyRef }: ValueFrom): string {
  const { name, key } = configMapKeyRef ?? secretKeyRef ?? { name: '', key: '' }
  const value = dataOf(configMapKeyRef ? 'ConfigMap' : 'Secret', name)[key]
  if (value === undefined) throw new Error(`${name} has no key ${key}`)
  return value
}

/**
 * The environment of a pod’s container: the image’s, then what the kubelet adds for every Service of the namespace, `envFrom`
 * and `env`, of which the later wins. Throws where it asks for a ConfigMap, Secret or key that there isn’t.
 */
export function environmentOf(deployment: Deployment): Readonly<Record<string, string>> {
  const { env = [], envFrom = [] } = containerOf(deployment)
  const sources = envFrom.map(({ configMapRef, secretRef }) =>
    configMapRef ? dataOf('ConfigMap', configMapRef.name) : dataOf('Secret', secretRef?.name ?? ''),
  )
  const own = env.map(({ name, value, valueFrom }) => [name, valueFrom ? referredTo(valueFrom) : (value ?? '')])
  return Object.assign({ ...readImage().env }, serviceLinksOf(podOf(deployment)), ...sources, Object.fromEntries(own))
}

/** https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables */
function serviceLinksOf({ enableServiceLinks = true }: PodSpec): Record<string, string> {
  if (!enableServiceLinks) return {}
  const links = services.map(({ metadata, spec }) => {
    const name = metadata.name.toUpperCase().replaceAll('-', '_')
    const port = spec.ports[0]?.port
    return { [`${name}_SERVICE_HOST`]: '10.0.0.1', [`${name}_PORT`]: `tcp://10.0.0.1:${port}` }
  })
  return Object.assign({}, ...links)
}

export const configOf = (deployment: Deployment): Config => loadConfig(environmentOf(deployment))
