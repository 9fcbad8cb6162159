import { serve } from './http-server.ts'

/** A publisher's server of fixed pages, by path and query. `asked` are the requests in order, each with who asked. */
export async function publisher(pages: Readonly<Record<string, Uint8Array | string>>): Promise<{
  readonly address: string
  readonly asked: { readonly path: string; readonly userAgent: string | undefined }[]
}> {
  const asked: { path: string; userAgent: string | undefined }[] = []
  const { address } = await serve((request, response) => {
    const path = request.url ?? ''
    asked.push({ path, userAgent: request.headers['user-agent'] })
    const page = pages[path]
    response.writeHead(page === undefined ? 404 : 200).end(page ?? 'no such page')
  })
  return { address, asked }
}
