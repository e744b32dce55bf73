import { createChallenge, verifySolution, type Payload } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { createRequester } from './request.ts';
import { createVerification } from './verification.ts';

const secrets = { hmacSignatureSecret: 'one secret', hmacKeySignatureSecret: 'another one' };

test('a challenge is solved, and the code is requested again with the solution', async () => {
  const challenge = await createChallenge({
    ...secrets,
    algorithm: 'PBKDF2/SHA-256',
    cost: 10,
    counter: 25,
    deriveKey,
    data: { number: 'a number' },
  });
  const requests: Record<string, string>[] = [];
  const sent = { success: true, message: '', phoneNumber: '+27825550147', validSeconds: 600 };
  const { request } = createRequester({
    fetch: async (_, init) => {
      requests.push(JSON.parse(init?.body as string) as Record<string, string>);
      return requests.length === 1
        ? Response.json({ code: 'challenge_required', message: '', details: { challenge } }, { status: 429 })
        : Response.json(sent);
    },
  });
  const { sendCode } = createVerification(request);
  await expect(sendCode({ type: 'sms', phoneNumber: '+27825550147' })).resolves.toEqual(sent);
  const [first, second] = requests;
  expect(first).toEqual({ type: 'sms', phoneNumber: '+27825550147' });
  const { challengeSolution = '', ...rest } = second ?? {};
  expect(rest).toEqual(first);
  const payload = JSON.parse(atob(challengeSolution)) as Payload;
  expect(await verifySolution({ ...payload, ...secrets, deriveKey })).toMatchObject({ verified: true });
});
