/** Sets a header of a record, also one that is called `__proto__`, which a plain assignment would lose. */
export function setHeader(headers: Record<string, string>, name: string, text: string): void {
  if (name !== '__proto__') headers[name] = text
  else Object.defineProperty(headers, name, { value: text, enumerable: true, configurable: true, writable: true })
}
