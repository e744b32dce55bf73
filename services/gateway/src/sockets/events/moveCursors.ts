import type { EventHandler } from './event.ts';

export const moveCursors: EventHandler<'move_cursors'> = async (connection, { cursors }, context) => {
  const moved = await context.cursors.move(connection.userId, cursors);
  return { cursors: moved.map(({ actorId: _own, error: _none, ...cursor }) => cursor) };
};
