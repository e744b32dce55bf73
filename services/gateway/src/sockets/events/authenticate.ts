import { failGateway } from '../../errors.ts';
import type { EventHandler } from './event.ts';

/** The session decided at the upgrade who this is; a client that believes otherwise must not go on (decision 3). */
export const authenticate: EventHandler<'authenticate'> = async (connection, { userId }) => {
  if (userId !== connection.userId) {
    throw failGateway('forbidden', 'wrong_user', 'This connection belongs to another account.');
  }
  return { userId };
};
