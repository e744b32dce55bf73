/** Events between services, reliable even across downtime: docs/adr/0017. */
export {
  appendEvents,
  createEventCursorTables,
  createEventTables,
  maxEventBytes,
  wakeSubjectOf,
  type EventEntry,
  type ServiceEvent,
} from './eventTables.ts';
export { createEventLog, type EventLog, type EventLogOptions } from './eventLog.ts';
export { consumeEvents, type ConsumeEventsOptions } from './eventConsumer.ts';
