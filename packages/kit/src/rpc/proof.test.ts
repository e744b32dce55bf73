import { createAppError, createInternalError } from '../errors.ts';
import { createAccountGuard, createOperatorGuard } from './proof.ts';

const caller = { actorId: 'somebody', sessionId: 'a-session' };
const soon = new Date(Date.now() + 60_000);
const refused = (code: string, kind = 'forbidden') => expect.objectContaining({ kind, code }) as Error;

/** Simulates identity with a given answer, and records who was checked. */
function answering<Answer>(answer: () => Promise<Answer>) {
  const calls: object[] = [];
  const question = (session: object) => {
    calls.push(session);
    return answer();
  };
  return { asked: calls, getProof: question, checkOperator: question };
}

it('admits a session with a recent proof, and checks every time', async () => {
  const security = answering(async () => ({ validUntil: soon }));
  const guard = createAccountGuard(security);
  await guard(caller);
  await guard(caller);
  expect(security.asked).toEqual([caller, caller]);
});

it('rejects a session whose proof is old', async () => {
  await expect(createAccountGuard(answering(async () => ({})))(caller)).rejects.toEqual(refused('proof_required'));
});

it('rejects a request without a session id, without a lookup', async () => {
  const identity = answering(async () => ({ validUntil: soon }));
  for (const guard of [createAccountGuard(identity), createOperatorGuard(identity)]) {
    await expect(guard({ actorId: 'somebody' })).rejects.toEqual(refused('proof_required'));
    await expect(guard({ actorId: 'somebody', sessionId: '' })).rejects.toEqual(refused('proof_required'));
  }
  expect(identity.asked).toEqual([]);
});

it('accepts a personal access token for account actions, but not for operator actions', async () => {
  const identity = answering(async () => ({}));
  await createAccountGuard(identity)({ actorId: 'somebody', tokenId: 'a-token' });
  const byToken = createOperatorGuard(identity)({ actorId: 'somebody', tokenId: 'a-token' });
  await expect(byToken).rejects.toEqual(refused('proof_required'));
});

it("passes on identity's refusals with their details", async () => {
  const details = { way: 'passkey' };
  const identity = answering(() => Promise.reject(createAppError('forbidden', 'proof_required', 'No.', details)));
  await expect(createOperatorGuard(identity)(caller)).rejects.toMatchObject({ code: 'proof_required', details });
  const nobody = answering(() => Promise.reject(createAppError('forbidden', 'not_operator', 'No.')));
  await expect(createOperatorGuard(nobody)(caller)).rejects.toEqual(refused('not_operator'));
});

it('rejects everyone if identity is unreachable or fails', async () => {
  for (const error of [
    createAppError('unavailable', 'service_timeout', 'Late.'),
    createInternalError(),
    new Error('broken'),
  ]) {
    const identity = answering(() => Promise.reject(error));
    for (const guard of [createAccountGuard(identity), createOperatorGuard(identity)]) {
      await expect(guard(caller)).rejects.toEqual(refused('proof_unavailable', 'unavailable'));
    }
  }
});
