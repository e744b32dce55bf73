import { createDb } from '@nolo/kit/db';

/** Ages the proof of all sessions of a user beyond its five minutes. */
export async function expireProof(userId: string): Promise<void> {
  const db = createDb({ url: process.env['NOLO_JOURNEYS_IDENTITY_DATABASE'] ?? '', schema: 'identity' });
  await db('sessions')
    .where({ user_id: userId })
    .update({ proven_at: new Date(0) });
  await db.destroy();
}
