import { checkClaim, signClaim } from './claims.ts';
import { createSigningKey, randomBytes } from './primitives.ts';

const aClaim = () => ({ account: randomBytes(16), device: randomBytes(16), session: randomBytes(16) });

test('a claim serves one account, device, and session, and only with the key of the device', async () => {
  const [key, foreign] = [await createSigningKey(), await createSigningKey()];
  const claim = aClaim();
  const signature = await signClaim(key, claim);
  await checkClaim(claim, key.publicKey, signature);
  const refused = (work: Promise<void>) => expect(work).rejects.toMatchObject({ name: 'Refusal', code: 'signature' });
  await refused(checkClaim(claim, foreign.publicKey, signature));
  await refused(checkClaim(claim, key.publicKey, randomBytes(64)));
  await refused(checkClaim(claim, key.publicKey, signature.slice(1)));
  for (const field of ['account', 'device', 'session'] as const)
    await refused(checkClaim({ ...claim, [field]: randomBytes(16) }, key.publicKey, signature));
});
