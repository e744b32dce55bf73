import { createHash, randomBytes } from 'node:crypto';
import { newId } from '@nolo/kit/ids';
import type { LoadStack } from './loadStack.ts';

/** Account that can sign in immediately. */
export interface LoadPerson {
  id: string;
  /** Session tokens, one for each device. */
  tokens: string[];
}

/** Inserts accounts and their sessions into identity's tables; signing in thousands of users would take an hour. */
export async function createLoadPeople(
  stack: Pick<LoadStack, 'database'>,
  count: number,
  devices = 1,
): Promise<LoadPerson[]> {
  const people = Array.from({ length: count }, () => ({
    id: newId(),
    tokens: Array.from({ length: devices }, () => randomBytes(32).toString('base64url')),
  }));
  const sessions = people.flatMap(({ id, tokens }) =>
    tokens.map((token) => ({
      id: newId(),
      user_id: id,
      hash: createHash('sha256').update(token).digest('hex'),
    })),
  );
  const identity = stack.database('identity');
  await identity.raw(
    `insert into users (id, first_name, last_name, groups_from, created_at, updated_at)
     select t.id, 'Load', 'Person', 'everyone', now(), now() from json_to_recordset(?::json) as t(id uuid)`,
    [JSON.stringify(people.map(({ id }) => ({ id })))],
  );
  await identity.raw(
    `insert into sessions (id, user_id, token_hash, method, created_at, last_used_at, expires_at)
     select t.id, t.user_id, decode(t.hash, 'hex'), 'phone', now(), now(), now() + interval '30 days'
     from json_to_recordset(?::json) as t(id uuid, user_id uuid, hash text)`,
    [JSON.stringify(sessions)],
  );
  return people;
}
