export { default as Type } from 'typebox'
export { Compile } from 'typebox/compile'
export { default as Format } from 'typebox/format'
export { Value } from 'typebox/value'
