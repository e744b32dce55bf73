import { isAppError } from '@nolo/kit/errors';
import { newId, type UserId } from '@nolo/kit/ids';
import { createLimiter } from '@nolo/kit/rateLimit';
import { newRoomCode, rateLimits } from '@nolo/rules';
import type { Meeting } from '../src/domain/meeting.ts';
import { lookUpForPreJoin } from '../src/rpc/lookUp.ts';
import { startMeetings, type TestMeetings } from './startMeetings.ts';

/** Number of guesses. `GUESSES` increases it; services/meetings/README.md explains the results for a million. */
const guesses = Number(process.env['GUESSES'] ?? 4_000);
const addresses = 1_000;
const addressesPerSite = 4;
const liveMeetings = 10_000;
const atOnce = 100;

let nolo: TestMeetings;

beforeAll(async () => {
  nolo = await startMeetings({ variables: { NOLO_MODE: 'production' } });
});
afterAll(() => nolo.stop());

type Outcome = 'miss' | 'refused' | 'direct' | 'lobby';

test(`${guesses} guesses from ${addresses} addresses open next to nothing, and keep out nobody with a right code`, async () => {
  const codes = Array.from({ length: liveMeetings }, () => newRoomCode('meeting'));
  const live = new Set(codes);

  // The fake store costs the same for any guess; the test measures Redis.
  const known = { id: 'one', groupId: null, codeExpiresAt: null, inviteHash: null } as unknown as Meeting;
  const dependencies = {
    clock: nolo.clock,
    chat: undefined as never,
    live: { raise: async (meeting: Meeting) => meeting },
    limiter: createLimiter({ redis: nolo.redis, table: rateLimits }),
    meetings: {
      findByCode: async (code: string) => (live.has(code) ? known : undefined),
      findClosed: async () => undefined,
      findMembership: async () => undefined,
      findMembershipByCode: async () => undefined,
    } as never,
  };
  const tryCode = async (code: string, actorId: UserId | undefined, address: string): Promise<Outcome> => {
    try {
      const { guarded } = await lookUpForPreJoin(dependencies, code, { actorId, address });
      return guarded ? 'lobby' : 'direct';
    } catch (error) {
      if (isAppError(error)) return error.kind === 'not_found' ? 'miss' : 'refused';
      throw error;
    }
  };
  const addressOf = (index: number) =>
    `2001:db8:${Math.floor(index / addressesPerSite).toString(16)}:${(index % addressesPerSite).toString(16)}::1`;
  const right = (actorId: UserId | undefined) => tryCode(codes[0] as string, actorId, '198.51.100.9');

  const attack = async (actorOf: (index: number) => UserId | undefined) => {
    const outcomes: Record<Outcome, number> = { miss: 0, refused: 0, direct: 0, lobby: 0 };
    const honest: Outcome[] = [];
    let next = 0;
    const worker = async () => {
      for (let index = next++; index < guesses; index = next++) {
        const from = index % addresses;
        outcomes[await tryCode(newRoomCode('meeting'), actorOf(from), addressOf(from))] += 1;
        // Past the limit, with the usual number of guesses too.
        if (index === Math.floor(guesses * 0.9)) honest.push(await right(undefined), await right(newId<UserId>()));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return { outcomes, honest: [...honest, await right(undefined), await right(newId<UserId>())] };
  };

  const anonymous = await attack(() => undefined);
  const overall = rateLimits.anonymousRoomCodeMissesOverall.points;
  expect(anonymous.outcomes.miss).toBeLessThanOrEqual(overall * 1.05);
  // Guests use the lobby anyway, and people with an account are unaffected.
  expect(anonymous.honest).toEqual(['lobby', 'direct', 'lobby', 'direct']);

  const accounts = Array.from({ length: addresses }, () => newId<UserId>());
  const signedIn = await attack((index) => accounts[index]);
  // Guesses in flight when the limit is reached still pass.
  expect(signedIn.outcomes.miss).toBeLessThanOrEqual(rateLimits.roomCodeMissesOverall.points * 1.05);
  expect(signedIn.honest).toEqual(['lobby', 'lobby', 'lobby', 'lobby']);
  for (const { outcomes } of [anonymous, signedIn]) expect(outcomes.direct).toBeLessThan(5);
}, 600_000);
