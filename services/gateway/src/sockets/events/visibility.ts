import type { EventHandler } from './event.ts';

/** Records whether the user is looking at the page. Visible content is not pushed to the same device. */
export const visibility: EventHandler<'visibility'> = async (connection, { visible }, { watches }) => {
  if (visible !== connection.watched) {
    connection.watched = visible;
    await (visible ? watches.begin(connection.sessionId) : watches.end(connection.sessionId));
  }
  return { visible };
};
