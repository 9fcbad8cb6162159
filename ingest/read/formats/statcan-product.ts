import type { Dataset } from './observation.ts'

/** Dataset of a product of Statistics Canada. Its first view is its table: 36100104 is 36-10-0104-01. */
export const datasetOfProduct = (format: string, product: string): Dataset => ({
  format,
  dataflow: {
    agency: 'StatCan',
    id: `${product.slice(0, 2)}-${product.slice(2, 4)}-${product.slice(4)}-01`,
  },
})
