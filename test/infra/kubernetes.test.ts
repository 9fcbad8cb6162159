import { describe, expect, it } from 'vitest'
import { parseRedisAddress } from '../../base/redis/address.ts'
import { adminAddresses } from '../../infra/admin-addresses.ts'
import { readImage, roles, shutdownSeconds } from './container-files.ts'
import {
  budgets,
  configMaps,
  configOf,
  containerOf,
  deployments,
  kustomization,
  labelsOf,
  podOf,
  resourceFiles,
  resources,
  secret,
  secretName,
  selects,
  services,
} from './kubernetes-files.ts'

const named = <R extends { metadata: { name: string } }>(each: readonly R[]): [string, R][] =>
  each.map((resource) => [resource.metadata.name, resource])

describe('the Kubernetes files', () => {
  it('are all applied, and no other', () => {
    expect([...kustomization.resources].sort()).toEqual(resourceFiles)
  })

  it('are of kinds and versions that are checked here, each under a name of its own', () => {
    const versions = { Deployment: 'apps/v1', Service: 'v1', PodDisruptionBudget: 'policy/v1', ConfigMap: 'v1' }
    for (const { kind, apiVersion } of resources) expect(versions[kind]).toBe(apiVersion)
    const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(names).toEqual([...new Set(names)])
    expect([deployments.length, services.length, budgets.length, configMaps.length]).toEqual([6, 2, 6, 1])
  })

  it('have a Deployment for every role, and one for each', () => {
    expect(deployments.flatMap((deployment) => configOf(deployment).roles).sort()).toEqual([...roles].sort())
  })

  it('run an image that kustomization.yaml names, so that it can be set there', () => {
    const images = deployments.flatMap((deployment) => podOf(deployment).containers.map(({ image }) => image))
    expect([...new Set(images)]).toEqual(kustomization.images.map(({ name }) => name))
  })

  it('say of which literals the Secret is made that they ask for', () => {
    const asked = deployments.flatMap((deployment) => containerOf(deployment).envFrom ?? [])
    expect([...new Set(asked.flatMap(({ secretRef }) => secretRef?.name ?? []))]).toEqual([secretName])
    expect(Object.keys(secret)).not.toEqual([])
  })

  it('set nothing by ConfigMap that no pod takes', () => {
    const taken = deployments.flatMap((deployment) => containerOf(deployment).envFrom ?? [])
    for (const { metadata } of configMaps) expect(taken).toContainEqual({ configMapRef: { name: metadata.name } })
  })

  it('promise no scraping by annotation', () => {
    // `/metrics` wants the token, which no annotation can say.
    expect(JSON.stringify(resources)).not.toContain('prometheus.io/')
  })
})

describe.each(named(deployments))('the Deployment %s', (_name, deployment) => {
  const { spec } = deployment
  const pod = podOf(deployment)
  const container = containerOf(deployment)
  const config = () => configOf(deployment)

  it('selects its own pods, and no other’s', () => {
    const selected = deployments.filter((other) => selects(spec.selector.matchLabels, labelsOf(other)))
    expect(selected).toEqual([deployment])
    const spread = pod.topologySpreadConstraints ?? []
    expect(spread).toHaveLength(1)
    for (const { labelSelector } of spread) expect(labelSelector).toEqual(spec.selector)
  })

  it('has a configuration of engines that many machines share', () => {
    const { kafka, schemaRegistryUrl, clickhouseUrl, redisUrl, demo, roles: own } = config()
    expect(own).toHaveLength(1)
    expect(kafka?.brokers.length).toBeGreaterThan(0)
    expect(schemaRegistryUrl).not.toBe('')
    expect(clickhouseUrl).not.toBe('')
    expect(() => parseRedisAddress(redisUrl)).not.toThrow()
    expect(demo).toBe(false)
  })

  it('can be reached by the kubelet, and asks for a token', () => {
    const { host, admin, streamUrl } = config()
    expect([host, admin.host]).toEqual(['0.0.0.0', '0.0.0.0'])
    expect(admin.token).not.toBe('')
    expect(streamUrl).toMatch(/^wss:/)
  })

  it('names the ports that its configuration has it listen on', () => {
    const { roles: own, httpPort, streamPort, admin } = config()
    expect(pod.containers).toHaveLength(1)
    const [address = '', ...others] = adminAddresses(admin, own)
    expect(others).toEqual([])
    const expected = {
      ...(own.includes('api') ? { http: httpPort } : {}),
      ...(own.includes('streams') ? { ws: streamPort } : {}),
      admin: Number(new URL(address).port),
    }
    expect(Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]))).toEqual(
      expected,
    )
  })

  it('kills no pod that is alive and has much to load yet', () => {
    expect(container.startupProbe).toMatchObject({ tcpSocket: { port: 'admin' } })
    expect(container.livenessProbe).toMatchObject({ tcpSocket: { port: 'admin' } })
    expect(container.readinessProbe).toMatchObject({ httpGet: { path: '/ready', port: 'admin' } })
    const { periodSeconds = 10, failureThreshold = 3 } = container.startupProbe as Partial<Record<string, number>>
    expect(periodSeconds * failureThreshold, 's to start in').toBeGreaterThanOrEqual(300)
  })

  it('lets a pod leave in its own time, once it is asked no more', () => {
    const wait = container.lifecycle?.preStop?.sleep?.seconds ?? 0
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(wait + shutdownSeconds())
    const isServed = services.some((service) => selects(service.spec.selector, labelsOf(deployment)))
    // Endpoints are taken away while the pod is told to stop, not before.
    if (isServed) expect(wait).toBeGreaterThan(0)
  })

  it('runs as a user that is not root, told by its number', () => {
    // The image names its user, which is nothing that the kubelet could tell from root.
    expect(pod.securityContext?.runAsNonRoot).toBe(true)
    expect(pod.securityContext?.runAsUser).toBeGreaterThan(0)
  })

  it('can write its data directory and nothing else', () => {
    expect(container.securityContext?.readOnlyRootFilesystem).toBe(true)
    const mounts = container.volumeMounts ?? []
    expect(mounts.map(({ mountPath }) => mountPath)).toEqual([config().dataDir])
    expect(mounts.map(({ readOnly }) => readOnly ?? false)).toEqual([false])
    expect(pod.volumes?.map(({ name }) => name)).toEqual(mounts.map(({ name }) => name))
  })

  it('asks for what it needs', () => {
    expect(container.resources?.requests).toEqual({ cpu: expect.any(String), memory: expect.any(String) })
  })

  it('has a new pod before an old one leaves, also where a machine is emptied', () => {
    expect(spec.strategy?.rollingUpdate).toMatchObject({ maxUnavailable: 0 })
    expect(spec.strategy?.rollingUpdate?.maxSurge).toBeGreaterThan(0)
    const own = budgets.filter((budget) => selects(budget.spec.selector.matchLabels, labelsOf(deployment)))
    expect(own).toHaveLength(1)
    expect(own[0]?.spec.minAvailable).toBeGreaterThan(0)
    expect(own[0]?.spec.minAvailable).toBeLessThan(spec.replicas)
  })
})

it.each(named(budgets))('the PodDisruptionBudget %s is of one Deployment', (_name, { spec }) => {
  expect(deployments.filter((deployment) => selects(spec.selector.matchLabels, labelsOf(deployment)))).toHaveLength(1)
})

it.each(named(services))(
  'the Service %s leads to a named port of one Deployment, under its own number',
  (_name, { spec }) => {
    const [deployment, ...others] = deployments.filter((each) => selects(spec.selector, labelsOf(each)))
    expect(others).toEqual([])
    for (const { port, targetPort } of spec.ports) {
      expect(deployment && containerOf(deployment).ports).toContainEqual({ name: targetPort, containerPort: port })
    }
  },
)

it('a pod’s numeric user is the one that owns the data directory of the image', () => {
  // uid of `node` in the official images of Node.
  expect(readImage().last('USER')).toBe('node')
  for (const deployment of deployments) expect(podOf(deployment).securityContext?.runAsUser).toBe(1000)
})
