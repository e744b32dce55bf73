import {
  encodeChange,
  encodeInviteLink,
  hashOfHeader,
  inviteKeyFrom,
  randomBytes,
  readInviteLink,
  Refusal,
  signInvited,
  type Change,
  type InviteLink,
} from '@nolo/e2ee';
import type { KeyTasks } from '../keyTasks.ts';
import type { VaultReader } from '../vaultState.ts';
import { fromSigned, fromText, toText } from '../wire.ts';
import { isJoined, requireJoined } from '../work.ts';
import { readLists, refreshLists, toAccounts } from './accountLists.ts';
import { encodeAdditions } from './groupChanges.ts';
import type { ConversationMemory } from './memory.ts';
import type { Conversations } from './types.ts';

/** Invite links and invitations of sealed private groups (docs/encryption.md, section 4, Changes and evidence). */

type Invites = Pick<Conversations, 'createInvite' | 'signEntry' | 'signAdditions'>;

function readLink(key: string): InviteLink | null {
  try {
    return readInviteLink(fromText(key));
  } catch (error) {
    if (error instanceof Refusal || error instanceof RangeError) return null;
    throw error;
  }
}

/** Creates the methods for invitations. */
export function createInvites(
  { context, run }: KeyTasks,
  reader: VaultReader,
  memory: ConversationMemory,
  change: Conversations['change'],
): Invites {
  return {
    async createInvite(facts) {
      const seed = randomBytes(32);
      const publicKey = toText(inviteKeyFrom(seed).publicKey);
      const result = await change(facts, [{ kind: 'invite', key: publicKey }]);
      if (result.state !== 'sealed') return result;
      const headerHash = await hashOfHeader(fromSigned(result.epoch.header));
      const { identity } = await run(async (work) => requireJoined(work).own.chain);
      const key = toText(encodeInviteLink({ seed, headerHash, account: context.account, identity }));
      return { ...result, key };
    },
    async signEntry(conversationId, key) {
      const link = readLink(key);
      if (!link) return null;
      let signed: string | null = null;
      await memory.update(conversationId, async (work, conversation) => {
        const { newest } = requireJoined(work).own.chain;
        const list = { n: newest.list.n, hash: newest.hash };
        const addition: Change = { type: 0, account: context.account, role: 0, list, evidence: null };
        const signer = { ancestor: link.headerHash, at: context.now() };
        const evidence = await signInvited(inviteKeyFrom(link.seed), conversation.id, signer, addition);
        signed = toText(encodeChange({ ...addition, evidence }));
        const { headerHash, account, identity } = link;
        return { ...conversation, entry: { headerHash, account, identity } };
      });
      return signed;
    },
    async signAdditions(conversationId, userIds) {
      const one = await memory.knownOf(conversationId);
      return run(async (work) => {
        if (!isJoined(work)) return [];
        const accounts = toAccounts(userIds);
        await refreshLists(context, work, reader, accounts);
        const lists = await readLists(context, work, accounts);
        return encodeAdditions({ context, work, conversation: await memory.reload(one), lists }, userIds);
      });
    },
  };
}
