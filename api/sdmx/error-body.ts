import { type ProblemError, problems } from '../../contracts/problems.ts'
import { XML_HEAD, xmlText } from '../xml.ts'
import { namespaces } from './xml-message.ts'

/** Codes of errors in the standard by HTTP status. Those above 1000 are a service's own. */
const standardCodes: Readonly<Record<number, number>> = {
  400: 140,
  401: 110,
  403: 110,
  404: 100,
  413: 130,
  500: 500,
  501: 501,
  503: 503,
}

/** The answer to a failed request as a message of SDMX: JSON if the client accepts JSON and not XML, else XML. */
export function sdmxError(
  { code, message }: ProblemError,
  accept: string | undefined,
): { contentType: string; body: string } {
  const { status, title } = problems[code]
  const number = standardCodes[status] ?? 1000 + status
  if (accept?.includes('json') && !accept.includes('xml')) {
    return {
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify({ errors: [{ code: number, title, detail: message }] }),
    }
  }
  const text = `<com:Text xml:lang="en">${xmlText(message)}</com:Text>`
  return {
    contentType: 'application/xml; charset=utf-8',
    body: `${XML_HEAD}\n<mes:Error${namespaces}><mes:ErrorMessage code="${number}">${text}</mes:ErrorMessage></mes:Error>\n`,
  }
}
