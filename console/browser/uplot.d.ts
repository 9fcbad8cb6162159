/** The chart library, which the service serves as this module. */
export { default } from 'uplot'
