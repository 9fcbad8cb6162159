import { get } from '../../../../ingest/fetch/http.ts'
import { hosts } from '../../../../ingest/fetch/reach.ts'

/** Gets each address of the command line as a publisher's, and prints the document, or why there is none, a line each. */
for (const address of process.argv.slice(2)) {
  const url = new URL(address)
  const answer = get(url, { reach: hosts(url.host) })
  console.log(
    await answer.then(
      ({ bytes }) => Buffer.from(bytes).toString(),
      ({ reason, message }) => `${reason}: ${message}`,
    ),
  )
}
