/** What services have to hear of each other, also those that were away: docs/adr/0017. */
export {
  appendEvents,
  createEventCursorTables,
  createEventTables,
  maxEventBytes,
  type EventEntry,
  type ServiceEvent,
} from './eventTables.ts';
export { createEventLog, type EventLog, type EventLogOptions } from './eventLog.ts';
export { consumeEvents, type ConsumeEventsOptions } from './eventConsumer.ts';
