import { kafkaSuite } from './support/kafka-suite.ts'

kafkaSuite('kafkajs', true)
