import { createGatewayError } from '../../errors.ts';
import type { EventHandler } from './event.ts';

/** The session identified the user at the upgrade; a client that assumes another user must stop (decision 3). */
export const authenticate: EventHandler<'authenticate'> = async (connection, { userId }) => {
  if (userId !== connection.userId) {
    throw createGatewayError('forbidden', 'wrong_user', 'This connection belongs to another account.');
  }
  return { userId };
};
