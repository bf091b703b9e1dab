/** What a demo may send. An occurrence without a message counts as one. */
export const demoLimits = {
  /** In one occurrence. */
  messagesAtOnce: 100,
  messagesAnHour: 500,
  messages: 2_000,
} as const;
