import { expect, it } from 'vitest'
import { withSpareDescriptor } from '../../base/process/spare-descriptor.ts'

const failing = (code: string, times: number) => {
  let left = times
  return () => {
    if (left-- > 0) throw Object.assign(new Error(code), { code })
    return 'read'
  }
}

it('what fails for want of a descriptor succeeds with the one in reserve, time after time', () => {
  for (let round = 0; round < 3; round++)
    for (const code of ['EMFILE', 'ENFILE']) expect(withSpareDescriptor(failing(code, 1))).toBe('read')
})

it('what fails in spite of it, or for another reason, fails', () => {
  expect(() => withSpareDescriptor(failing('EMFILE', 2))).toThrow('EMFILE')
  expect(() => withSpareDescriptor(failing('EACCES', 1))).toThrow('EACCES')
  expect(withSpareDescriptor(failing('EMFILE', 1))).toBe('read')
})
