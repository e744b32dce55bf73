import type { EventHandler } from './event.ts';

/** Whether somebody looks at the page: what they see is not pushed to the same device. */
export const visibility: EventHandler<'visibility'> = async (connection, { visible }, { watches }) => {
  if (visible !== connection.watched) {
    connection.watched = visible;
    await (visible ? watches.begin(connection.sessionId) : watches.end(connection.sessionId));
  }
  return { visible };
};
