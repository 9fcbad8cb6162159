import { kafkaSuite } from './support/kafka-suite.ts'

/** ALMANAC_TEST_WHOLE=1 for the faults, too, which a short run tries with the default client only. */
kafkaSuite('platformatic', process.env.ALMANAC_TEST_WHOLE === '1')
