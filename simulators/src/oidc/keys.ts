import { generateKeyPair, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JWK } from 'oidc-provider';
import { z } from 'zod';

export interface SigningKeys {
  /** Key pair that signs ID tokens. */
  signing: JWK;
  /** Secrets that sign the provider's cookies. */
  cookies: string[];
}

const stored = z.object({
  signing: z.looseObject({ kty: z.literal('RSA'), kid: z.string() }),
  cookies: z.array(z.string()).min(1),
});

async function generate(): Promise<SigningKeys> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const signing = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
  return { signing: signing as JWK, cookies: [randomBytes(32).toString('base64url')] };
}

/**
 * Loads the provider's keys. With a folder, they survive a restart, and so do the ID tokens that clients store for
 * signing out. Without one, they are new each time. An unreadable file is replaced: nothing of value depends on a
 * simulator's key.
 */
export async function loadSigningKeys(folder: string | undefined): Promise<SigningKeys> {
  if (folder === undefined) return generate();
  const file = join(folder, 'oidcKeys.json');
  try {
    return stored.parse(JSON.parse(await readFile(file, 'utf8'))) as SigningKeys;
  } catch {
    const keys = await generate();
    await mkdir(folder, { recursive: true });
    const fresh = `${file}.${randomUUID()}`;
    const handle = await open(fresh, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify(keys));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, file);
    return keys;
  }
}
