import { backtestTable } from '../support/backtest.ts'
import { sampleBoard } from '../support/sample-figures.ts'

/** Prints the table of docs/predictions.md. */
console.log(backtestTable(sampleBoard()))
