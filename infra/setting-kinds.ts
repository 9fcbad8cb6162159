/** One setting from the environment. Its value is checked as text, and converted only afterwards. */
export type Setting<Value extends string = string> = {
  readonly default: Value
  readonly description: string
  /**
   * Returns the fault of a value, as the end of a sentence that begins with `NAME="value"`. Returns undefined if there is
   * none.
   */
  readonly faultOf: (value: string) => string | undefined
  /** Whether a fault is reported without the value, because the value may contain a password. */
  readonly isHidden?: true
}

type Fault = Setting['faultOf']

/** Optional text, empty by default. `faultOf` checks any other value. */
export const text = (description: string, faultOf: Fault = () => undefined): Setting => ({
  default: '',
  description,
  faultOf: (value) => (value === '' ? undefined : faultOf(value)),
})

/** Text that must not be empty. */
export const requiredText = (fallback: string, description: string): Setting => ({
  default: fallback,
  description,
  faultOf: (value) => (value === '' ? 'must not be empty' : undefined),
})

/** Check of a text's form. `wanted` describes the form for the message. */
export const matching =
  (pattern: RegExp, wanted: string): Fault =>
  (value) =>
    pattern.test(value) ? undefined : `must be ${wanted}`

/** A port in decimal digits. Other spellings are refused, because `Number` would turn 0x50 or nothing into another port. */
export const port = (fallback: number, description: string, highest = 65_535): Setting => ({
  default: String(fallback),
  description,
  faultOf(value) {
    const wanted = `a port, a whole number from 0 to ${highest} in digits`
    if (value === '') return `is empty; it must be ${wanted}`
    return isPort(value, 0, highest) ? undefined : `must be ${wanted}`
  },
})

/** A whole number in decimal digits. */
export const count = (fallback: number, description: string, least: number, highest: number): Setting => ({
  default: String(fallback),
  description,
  faultOf: (value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= highest
      ? undefined
      : `must be a whole number from ${least} to ${highest}`,
})

export const isPort = (value: string, least: number, highest = 65_535): boolean =>
  /^\d{1,5}$/.test(value) && Number(value) >= least && Number(value) <= highest

export const oneOf = <const Value extends string>(
  values: readonly Value[],
  fallback: NoInfer<Value>,
  description: string,
): Setting<Value> => ({
  default: fallback,
  description,
  faultOf: (value) =>
    (values as readonly string[]).includes(value)
      ? undefined
      : `must be one of ${values.map((each) => each || 'nothing').join(', ')}`,
})

export const flag = (fallback: '0' | '1', description: string) => oneOf(['0', '1'], fallback, description)
