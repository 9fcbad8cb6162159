import type { Admin, ITopicConfig } from 'kafkajs'
import { until } from './journal.ts'

/**
 * Creates a topic as an operator does, and waits until a client is told of all its leaders. The wait of kafkajs is not used: it
 * fails if the broker that it asks hears of the topic later than the controller that created it.
 */
export async function createByAdmin(admin: Admin, topic: ITopicConfig): Promise<void> {
  await admin.createTopics({ topics: [topic], waitForLeaders: false })
  await until(`topic ${topic.topic}`, () =>
    admin.fetchTopicMetadata({ topics: [topic.topic] }).then(
      () => true,
      (error) => {
        if (error.type !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error
        return false
      },
    ),
  )
}
