/** What the bench uses of autocannon, which brings no types. */
declare module 'autocannon' {
  type Headers = Record<string, string>
  type Request = { path: string; headers: Headers }
  type Options = { url: string; connections: number } & ({ duration: number } | { amount: number }) &
    ({ headers: Headers } | { requests: (Request | { setupRequest(request: object): object })[] })
  type Result = {
    /** Seconds. */
    duration: number
    non2xx: number
    errors: number
    requests: { average: number; total: number }
    latency: { p99: number }
  }
  export default function autocannon(options: Options): Promise<Result>
}
