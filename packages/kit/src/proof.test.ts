import { fail, internalError } from './errors.ts';
import { accountGuard, operatorGuard } from './proof.ts';

const asking = { actorId: 'somebody', sessionId: 'a-session' };
const soon = new Date(Date.now() + 60_000);
const refused = (code: string, kind = 'forbidden') => expect.objectContaining({ kind, code }) as Error;

/** Identity, which answers so and notes who was asked about. */
function answering<Answer>(answer: () => Promise<Answer>) {
  const asked: object[] = [];
  const question = (session: object) => {
    asked.push(session);
    return answer();
  };
  return { asked, getProof: question, checkOperator: question };
}

it('lets a session through that was proven a short while ago, and asks each time', async () => {
  const security = answering(async () => ({ validUntil: soon }));
  const guard = accountGuard(security);
  await guard(asking);
  await guard(asking);
  expect(security.asked).toEqual([asking, asking]);
});

it('refuses a session whose proof is old', async () => {
  await expect(accountGuard(answering(async () => ({})))(asking)).rejects.toEqual(refused('proof_required'));
});

it('refuses whoever names no session without asking', async () => {
  const identity = answering(async () => ({ validUntil: soon }));
  for (const guard of [accountGuard(identity), operatorGuard(identity)]) {
    await expect(guard({ actorId: 'somebody' })).rejects.toEqual(refused('proof_required'));
    await expect(guard({ actorId: 'somebody', sessionId: '' })).rejects.toEqual(refused('proof_required'));
  }
  expect(identity.asked).toEqual([]);
});

it('takes a personal access token for the account, which was proven when it was made, and for no operator', async () => {
  const identity = answering(async () => ({}));
  await accountGuard(identity)({ actorId: 'somebody', tokenId: 'a-token' });
  const byToken = operatorGuard(identity)({ actorId: 'somebody', tokenId: 'a-token' });
  await expect(byToken).rejects.toEqual(refused('proof_required'));
});

it("hands identity's refusals on, with what is said about them", async () => {
  const details = { way: 'passkey' };
  const identity = answering(() => Promise.reject(fail('forbidden', 'proof_required', 'No.', details)));
  await expect(operatorGuard(identity)(asking)).rejects.toMatchObject({ code: 'proof_required', details });
  const nobody = answering(() => Promise.reject(fail('forbidden', 'not_operator', 'No.')));
  await expect(operatorGuard(nobody)(asking)).rejects.toEqual(refused('not_operator'));
});

it('lets nobody through where identity cannot be asked, or fails', async () => {
  for (const error of [fail('unavailable', 'service_timeout', 'Late.'), internalError(), new Error('broken')]) {
    const identity = answering(() => Promise.reject(error));
    for (const guard of [accountGuard(identity), operatorGuard(identity)]) {
      await expect(guard(asking)).rejects.toEqual(refused('proof_unavailable', 'unavailable'));
    }
  }
});
