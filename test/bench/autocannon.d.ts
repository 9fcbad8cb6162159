/** What the bench uses of autocannon, which brings no types. */
declare module 'autocannon' {
  type Headers = Record<string, string>
  type Options = { url: string; connections: number; duration: number } & (
    | { headers: Headers }
    | { requests: { path: string; headers: Headers }[] }
  )
  type Result = {
    non2xx: number
    errors: number
    requests: { average: number; total: number }
    latency: { p99: number }
  }
  export default function autocannon(options: Options): Promise<Result>
}
