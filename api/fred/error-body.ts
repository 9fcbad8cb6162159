import { type ProblemError, problems } from '../../contracts/problems.ts'
import { XML_HEAD, xmlAttributes } from '../xml.ts'
import { contentTypes } from './document.ts'

/** The answer to a failed request in FRED's form. Source: https://fred.stlouisfed.org/docs/api/fred/errors.html */
export function fredError({ code, message }: ProblemError, url: string): { contentType: string; body: string } {
  const { status } = problems[code]
  // From the address, because a request may fail before its query is parsed.
  const isJson = /[?&]file_type=json(?:&|$)/.test(url)
  const body = isJson
    ? JSON.stringify({ error_code: status, error_message: message })
    : `${XML_HEAD}\n<error${xmlAttributes({ code: status, message })}/>\n`
  return { contentType: contentTypes[isJson ? 'json' : 'xml'], body }
}
