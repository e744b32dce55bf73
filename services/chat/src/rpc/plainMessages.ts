import type { ConversationId, UserId } from '@nolo/kit/ids';
import { encryptionRequired } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

/** People whom identity is asked about at once. Most often, the first ones decide. */
const peopleAtOnce = 20;

/** Conversations in which somebody wrote, so that their next messages need no look-up. */
const maxRemembered = 20_000;

/**
 * Creates the rule for messages that are not sealed: they begin no conversation of which a member has keys
 * (docs/encryption.md, section 9). Where somebody wrote such messages before, they may go on until an epoch begins.
 *
 * @returns a function that throws encryption_required
 */
export function createFirstMessageGuard({ sealing, epochs: { directory } }: Pick<Dependencies, 'sealing' | 'epochs'>) {
  const written = new Set<ConversationId>();
  /** Look-ups under way. Messages that wait for the same one go on in their order. */
  const asked = new Map<ConversationId, Promise<readonly UserId[]>>();

  const hasKeys = async (people: readonly UserId[]): Promise<boolean> => {
    for (let at = 0; at < people.length; at += peopleAtOnce) {
      const queries = people.slice(at, at + peopleAtOnce).map((userId) => ({ userId, named: [], known: [] }));
      if ((await directory.statesOf(queries, undefined)).size > 0) return true;
    }
    return false;
  };

  /** Returns the members if a message that is not sealed must not begin the conversation. */
  const ask = async (conversationId: ConversationId): Promise<readonly UserId[]> => {
    const people = await sealing.beginners(conversationId);
    if (people.length > 0) return (await hasKeys(people)) ? people : [];
    if (written.size >= maxRemembered) written.clear();
    written.add(conversationId);
    return [];
  };

  return async (senderId: UserId, conversationId: ConversationId): Promise<void> => {
    if (written.has(conversationId)) return;
    const asking = asked.get(conversationId) ?? ask(conversationId).finally(() => asked.delete(conversationId));
    asked.set(conversationId, asking);
    // Strangers learn only that the conversation does not exist.
    if ((await asking).includes(senderId)) throw encryptionRequired();
  };
}
