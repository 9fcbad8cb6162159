/** Example of a call of an operation, for the OpenAPI document and the pages. */
export type Example = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** Body of the request, if it has one. */
  readonly sent?: Readonly<Record<string, string>>
  /** A text if the answer is no JSON. */
  readonly body: object | string
}
